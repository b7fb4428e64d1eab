import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, chown, mkdir, open, readdir, readFile, rename, rm, stat, statfs, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { StartupError } from "../startup-error.ts";
import type { ServerUser } from "./postgres-place.ts";

/** The name of the only role that the server has at first. */
export const SERVER_ROLE = "dataspace";

/** The environment of the server's programs: nothing in it can change where they look. */
export const SERVER_ENVIRONMENT: Readonly<Record<string, string>> = { LC_ALL: "C", TZ: "UTC", PATH: "/usr/bin:/bin" };

const MAJOR_VERSION = "18";
const DISK_FLOOR_BYTES = 64 * 1024 * 1024;

/** The place of a cluster, the binaries that create it, and its user. */
export interface ClusterConfig {
  /** The place of the files, existing or to be created. */
  readonly cluster: string;
  readonly passwordFile: string;
  /** The directory with `initdb`. */
  readonly binaries: string;
  readonly user: ServerUser | undefined;
}

/**
 * Creates the database's files on the first start; later only checks that all are present. Existing files are never
 * deleted or recreated. A start that is killed in the middle leaves only an unfinished neighbour directory.
 *
 * Refuses: StartupError (78) when files are missing or of another version of PostgreSQL, and when initdb fails.
 * Source: decision P4.
 */
export async function prepareCluster(config: ClusterConfig): Promise<void> {
  await removeUnfinished(config.cluster);
  if (await isEmptyOrAbsent(config.cluster)) await makeCluster(config);
  else await assertWhole(config.cluster);
}

/**
 * Refuses to continue with a nearly full disk, on which the first large write would fail.
 *
 * Refuses: StartupError (78) naming the directory when less than 64 MB are free there.
 */
export async function assertSpace(directory: string): Promise<void> {
  const { bavail, bsize } = await statfs(directory);
  const freeBytes = bavail * bsize;
  if (freeBytes >= DISK_FLOOR_BYTES) return;
  throw new StartupError(
    `DS_DATA_DIR: only ${Math.floor(freeBytes / 1024 / 1024)} MB are free at ${directory}. Free at least 64 MB there and start again.`,
  );
}

async function removeUnfinished(cluster: string): Promise<void> {
  for (const name of await readdir(dirname(cluster))) {
    if (!name.startsWith(`${basename(cluster)}.new-`)) continue;
    await rm(join(dirname(cluster), name), { recursive: true, force: true });
  }
}

async function isEmptyOrAbsent(directory: string): Promise<boolean> {
  return !existsSync(directory) || (await readdir(directory)).length === 0;
}

async function assertWhole(cluster: string): Promise<void> {
  const version = await readFile(join(cluster, "PG_VERSION"), "utf8").catch(() => "");
  const hasControlFile = await stat(join(cluster, "global/pg_control")).then(
    (file) => file.size > 0,
    () => false,
  );
  if (version.trim() === MAJOR_VERSION && hasControlFile) return;
  if (/^\d+$/.test(version.trim()) && hasControlFile) {
    throw new StartupError(
      `DS_DATA_DIR: ${cluster} holds data of PostgreSQL ${version.trim()}, this build brings ${MAJOR_VERSION}. Nothing was changed. Start the build that made it, or set DS_DATA_DIR to another directory.`,
    );
  }
  throw new StartupError(
    `DS_DATA_DIR: the database in ${cluster} is damaged: files that every database has are missing. Nothing was changed or deleted. Restore a backup into another directory and set DS_DATA_DIR to it.`,
  );
}

async function makeCluster(config: ClusterConfig): Promise<void> {
  const unfinished = `${config.cluster}.new-${randomBytes(6).toString("hex")}`;
  const passwordCopy = `${unfinished}.password`;
  try {
    const password = await readOrMakePassword(config.passwordFile);
    await mkdir(unfinished, { mode: 0o700 });
    await chmod(unfinished, 0o700);
    await writeFile(passwordCopy, `${password}\n`, { mode: 0o600 });
    if (config.user !== undefined) {
      await chown(unfinished, config.user.uid, config.user.gid);
      await chown(passwordCopy, config.user.uid, config.user.gid);
    }
    await runInitdb(config, unfinished, passwordCopy);
    await rename(unfinished, config.cluster);
    await flushDirectory(dirname(config.cluster));
  } finally {
    await rm(passwordCopy, { force: true });
    await rm(unfinished, { recursive: true, force: true });
  }
}

async function readOrMakePassword(file: string): Promise<string> {
  if (!existsSync(file)) {
    await writeFile(`${file}.new`, randomBytes(24).toString("base64url"), { mode: 0o600, flush: true });
    await rename(`${file}.new`, file);
  }
  return await readFile(file, "utf8");
}

async function runInitdb(config: ClusterConfig, directory: string, passwordFile: string): Promise<void> {
  const options = [
    `--pgdata=${directory}`,
    `--username=${SERVER_ROLE}`,
    `--pwfile=${passwordFile}`,
    "--auth-local=trust", // the socket lies in a directory that nobody else can enter
    "--auth-host=scram-sha-256",
    "--encoding=UTF8",
    "--locale=C",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--data-checksums",
    "--no-instructions",
  ];
  const child = spawn(join(config.binaries, "initdb"), options, {
    ...config.user,
    cwd: "/",
    env: SERVER_ENVIRONMENT,
    detached: true,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let complaints = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaints += text;
  });
  const status = await new Promise<number | null>((resolve, reject) => {
    child.on("error", reject).on("close", resolve);
  });
  if (status !== 0) {
    throw new StartupError(`DS_DATA_DIR: no database could be made in ${config.cluster}: ${complaints.trim()}`);
  }
}

/** A rename survives a power cut once its directory is on disk. */
async function flushDirectory(directory: string): Promise<void> {
  const handle = await open(directory);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
