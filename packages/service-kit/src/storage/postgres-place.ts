import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { accessSync, chmodSync, chownSync, constants, lstatSync, mkdirSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { StartupError } from "../startup-error.ts";

/** The unprivileged user that runs PostgreSQL when this process is root, because PostgreSQL refuses root. */
export interface ServerUser {
  readonly uid: number;
  readonly gid: number;
}

const GROUP_OR_OTHERS = 0o077;
const OTHERS_WRITE = 0o002;
const GROUP_WRITE = 0o020;

/**
 * The user that runs PostgreSQL: `nobody` when this process is root, otherwise the current user (undefined).
 *
 * Refuses: StartupError when this process is root and `nobody` does not exist: PostgreSQL needs a user with a name.
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
 * The possible places of the server's files, best first: the requested one; for root, a place that an unprivileged user
 * can reach even below a private home; the system's temporary folder.
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
 * Prepares a place and checks it: owned by this user, closed to other writers, and reachable for the server's user.
 *
 * A directory that only root could enter is opened to the server's group only (mode 0710): to pass through, not to
 * list.
 * Refuses: never; the result is false.
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
 * Checks that nobody else can have prepared, or can change, the content of a directory. It must not be a symbolic link
 * or writable for everybody. Where every user may create directories, as in the temporary folder, it must also be owned
 * by this user and closed to its group.
 *
 * Refuses: the system's error when it does not exist. Source: decision P4.
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
