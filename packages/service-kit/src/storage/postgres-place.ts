import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { accessSync, chmodSync, chownSync, constants, lstatSync, mkdirSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { StartupError } from "../startup-error.ts";

/** The unprivileged user that PostgreSQL runs as when we are root; PostgreSQL itself refuses to run as root. */
export interface ServerUser {
  readonly uid: number;
  readonly gid: number;
}

const GROUP_OR_OTHERS = 0o077;
const OTHERS_WRITE = 0o002;
const GROUP_WRITE = 0o020;

/**
 * The user to run PostgreSQL as: `nobody` when we are root, otherwise ourselves (undefined).
 *
 * Refuses: StartupError when we are root and there is no `nobody`: a number without a name is not enough for PostgreSQL.
 * Source: decision P4.
 */
export function findServerUser(): ServerUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const [uid, gid] = ["-u", "-g"].map((flag) => {
    const answer = spawnSync("id", [flag, "nobody"], { encoding: "utf8" }).stdout?.trim() ?? "";
    return /^\d+$/.test(answer) ? Number(answer) : undefined;
  });
  if (uid === undefined || gid === undefined) {
    throw new StartupError(
      "PostgreSQL cannot run as root and there is no user nobody: set DATABASE_URL or change user.",
    );
  }
  return { uid, gid };
}

/**
 * The places where files of the server may lie, best first: where they were asked for; for root, a place that an
 * unprivileged user can reach even below a closed home; the system's temporary folder.
 *
 * Refuses: never. Source: decision P4.
 */
export function listPlaces(wanted: string): readonly string[] {
  const uid = process.getuid?.() ?? 0;
  const hash = createHash("sha256").update(wanted).digest("hex").slice(0, 16);
  const systemPlace = uid === 0 ? [join("/var/lib/dataspace-dev", hash)] : [];
  return [wanted, ...systemPlace, join(tmpdir(), `dataspace-dev-${uid}-${hash}`)];
}

/**
 * Makes a place ready and says whether it is fit: ours, closed to other writers, and within reach of the server's user.
 *
 * A directory that only root could enter is opened to the server's group alone (mode 0710): to pass through, not to list.
 * Refuses: never; false is the answer.
 */
export function isFitPlace(place: string, user: ServerUser | undefined): boolean {
  try {
    const madeParent = mkdirSync(dirname(place), { recursive: true, mode: 0o711 });
    if (madeParent !== undefined) chmodSync(dirname(place), 0o711);
    mkdirSync(place, { recursive: true, mode: 0o700 });
    accessSync(place, constants.W_OK | constants.X_OK);
    if (!isSafePlace(place)) return false;
    if (user === undefined) return true;
    const { mode, uid } = lstatSync(place);
    if (uid !== 0 || (mode & GROUP_WRITE) !== 0) return false;
    if ((mode & GROUP_OR_OTHERS) === 0) {
      chownSync(place, 0, user.gid);
      chmodSync(place, 0o710);
    }
    return canReach(place, user);
  } catch {
    return false;
  }
}

/**
 * Tells that nobody else can have prepared or can change what lies in a directory: it is no symbolic link and not open to every
 * writer; where every user may make directories, as in the temporary folder, it is also ours and closed to its group.
 *
 * Refuses: the system's error when it is not there. Source: decision P4.
 */
export function isSafePlace(place: string): boolean {
  const { mode, uid } = lstatSync(place);
  if ((mode & constants.S_IFMT) !== constants.S_IFDIR || (mode & OTHERS_WRITE) !== 0) return false;
  const isAmongOthers = (statSync(dirname(place)).mode & OTHERS_WRITE) !== 0;
  return !isAmongOthers || (uid === process.getuid?.() && (mode & GROUP_WRITE) === 0);
}

function canReach(place: string, user: ServerUser): boolean {
  const options = { ...user, cwd: "/", stdio: "ignore" } as const;
  return spawnSync("/bin/sh", ["-c", 'cd "$1" && test -x .', "sh", place], options).status === 0;
}
