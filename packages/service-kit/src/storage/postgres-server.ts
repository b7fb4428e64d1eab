import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, existsSync, openSync, readFileSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { runOneStatement } from "../postgres/one-statement.ts";
import { StartupError } from "../startup-error.ts";
import { SERVER_ENVIRONMENT } from "./postgres-cluster.ts";
import { recordServerProcess } from "./postgres-lock-files.ts";
import { endServerProcesses, readPostmasterPid, stopOrphans } from "./postgres-orphans.ts";
import type { ServerUser } from "./postgres-place.ts";

/** One run of the server. `exited` resolves with a description when its main process has ended. */
export interface PostgresServer {
  readonly pid: number;
  readonly exited: Promise<string>;
  /** Ends it: gracefully, or, for a server that hangs, at once. */
  readonly stop: (how: "in order" | "at once") => Promise<void>;
}

/** The configuration of one run of the server. */
export interface ServerConfig {
  readonly cluster: string;
  readonly binaries: string;
  readonly user: ServerUser | undefined;
  readonly logFile: string;
  readonly settings: Readonly<Record<string, string>>;
  /** The address of the server's own database `postgres`, to check whether it answers. */
  readonly url: string;
  readonly report: (line: string) => void;
}

const POLL_MS = 10;
const REPORT_EVERY_MS = 5_000;
const LOG_LIMIT_BYTES = 5_000_000;
const STATEMENT_LIMIT_MS = 5_000;

/**
 * Starts the server and waits until it answers; the recovery after a crash may take a while, which is reported.
 *
 * It runs in its own process group, so that Ctrl-C in a terminal reaches only this process. When this process dies,
 * however it ends, a watcher at the end of a pipe ends the server.
 *
 * Refuses: StartupError 78 with the server's output when it ends instead, 75 when an earlier one cannot be stopped.
 * Source: decision P4.
 */
export async function startServer(config: ServerConfig): Promise<PostgresServer> {
  await stopOrphans(config.cluster, config.report);
  const logStart = rotateLog(config.logFile);
  const child = spawnPostgres(config);
  const exited = new Promise<string>((resolve) => {
    child.once("error", (error) => resolve(`could not be run (${error.message})`));
    child.once("exit", (status, signal) =>
      resolve(signal === null ? `ended with status ${status}` : `ended by ${signal}`),
    );
  });
  if (child.pid !== undefined) recordServerProcess(config.cluster, child.pid);
  const watcher = child.pid === undefined ? undefined : spawnWatcher(child.pid, config.user);
  void exited.then(() => watcher?.kill("SIGKILL"));
  const outcome = await Promise.race([exited, waitUntilReady(config, child)]);
  if (outcome !== "ready" || child.pid === undefined) {
    const words = readLastWords(config.logFile, logStart) ?? outcome;
    throw new StartupError(
      `DS_DATA_DIR: PostgreSQL does not start on ${config.cluster}: ${words}. Nothing was deleted. If the files are damaged, restore a backup into another directory and set DS_DATA_DIR to it. Its log: ${config.logFile}`,
    );
  }
  const stop = (how: "in order" | "at once") => stopServer(child, config.cluster, how);
  return { pid: child.pid, exited, stop };
}

function spawnPostgres(config: ServerConfig): ChildProcess {
  const settings = Object.entries(config.settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const log = openSync(config.logFile, "a", 0o600);
  try {
    const child = spawn(join(config.binaries, "postgres"), ["-D", config.cluster, ...settings], {
      ...config.user,
      cwd: "/",
      env: SERVER_ENVIRONMENT,
      detached: true,
      stdio: ["ignore", log, log],
    });
    child.unref();
    return child;
  } finally {
    closeSync(log);
  }
}

function spawnWatcher(pid: number, user: ServerUser | undefined): ChildProcess {
  const watcher = spawn("/bin/sh", ["-c", 'read _; kill -INT "$1"', "sh", String(pid)], {
    ...user,
    cwd: "/",
    env: SERVER_ENVIRONMENT,
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  watcher.on("error", () => undefined);
  watcher.unref();
  return watcher;
}

/**
 * A connection alone proves nothing: it might be another server's. The answering process must be the one started here.
 */
async function waitUntilReady(config: ServerConfig, child: ChildProcess): Promise<"ready"> {
  let nextReport = performance.now() + REPORT_EVERY_MS;
  while (child.exitCode === null && child.signalCode === null) {
    if (saysReady(config.cluster, child.pid) && (await isAnsweredBy(config.url, child.pid))) return "ready";
    if (performance.now() > nextReport) {
      config.report("PostgreSQL is still starting: after a crash it first recovers what was acknowledged.");
      nextReport += REPORT_EVERY_MS;
    }
    await sleep(POLL_MS);
  }
  return await new Promise<never>(() => undefined); // it ended: `exited` tells
}

function saysReady(cluster: string, pid: number | undefined): boolean {
  if (pid === undefined || readPostmasterPid(cluster) !== pid) return false;
  try {
    return readFileSync(join(cluster, "postmaster.pid"), "utf8").split("\n")[7]?.trim() === "ready";
  } catch {
    return false;
  }
}

async function isAnsweredBy(url: string, pid: number | undefined): Promise<boolean> {
  const text = "select split_part(pg_read_file('postmaster.pid'), chr(10), 1)::int as pid";
  const config = { url, timeoutMs: STATEMENT_LIMIT_MS };
  const rows = await runOneStatement<{ readonly pid: number }>(config, { text, values: [] }).catch(() => []);
  return rows[0]?.pid === pid;
}

async function stopServer(child: ChildProcess, cluster: string, how: "in order" | "at once"): Promise<void> {
  child.ref(); // whoever waits for the end must see it, even when nothing else keeps this process alive
  const isRunning = child.exitCode === null && child.signalCode === null;
  const gone = new Promise<void>((resolve) => (isRunning ? child.once("exit", () => resolve()) : resolve()));
  await endServerProcesses(cluster, how === "in order" ? "SIGINT" : "SIGKILL");
  await gone;
}

/** Out: the offset of this run's output. */
function rotateLog(file: string): number {
  const sizeBytes = existsSync(file) ? statSync(file).size : 0;
  if (sizeBytes < LOG_LIMIT_BYTES) return sizeBytes;
  renameSync(file, `${file}.1`);
  return 0;
}

function readLastWords(file: string, start: number): string | undefined {
  const lines = readFileSync(file).subarray(start).toString("utf8").split("\n");
  const severe = lines.filter((line) => /\b(FATAL|PANIC):/.test(line));
  return (severe.at(-1) ?? lines.filter((line) => line !== "").at(-1))?.replace(/^.*?\b(FATAL|PANIC):\s*/, "");
}
