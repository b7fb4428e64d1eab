import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import { createServer } from "node:net";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** An installed PostgreSQL, running in a temporary directory that is removed at its end. */
export interface DebianPostgres extends AsyncDisposable {
  readonly url: string;
  /** The server's own version text, such as `15.18 (Debian 15.18-0+deb12u1)`. */
  readonly version: string;
}

const INSTALLED = "/usr/lib/postgresql";
const OLDEST = 15;
const READY_MS = 30_000;

/** The program directory of the oldest supported installed version; undefined where none is installed. */
function findPrograms(): string | undefined {
  const versions = fs.existsSync(INSTALLED) ? fs.readdirSync(INSTALLED).map(Number) : [];
  const version = versions.filter((number) => number >= OLDEST).sort((a, b) => a - b)[0];
  const programs = path.join(INSTALLED, String(version), "bin");
  return version !== undefined && fs.existsSync(path.join(programs, "initdb")) ? programs : undefined;
}

/** The user of the server: as root the package's own user, since PostgreSQL refuses root. */
function findUser(): { readonly uid?: number; readonly gid?: number } | undefined {
  if (process.getuid?.() !== 0) return {};
  const [uid, gid] = ["-u", "-g"].map((flag) => spawnSync("id", [flag, "postgres"], { encoding: "utf8" }));
  if (uid?.status !== 0 || gid?.status !== 0) return undefined;
  return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
}

/**
 * Starts the installed PostgreSQL with a new cluster on a free loopback port.
 *
 * Out: undefined where none is installed. Refuses: with the server's output when it does not start.
 */
export async function startDebianPostgres(): Promise<DebianPostgres | undefined> {
  const [programs, user] = [findPrograms(), findUser()];
  if (programs === undefined || user === undefined) return undefined;
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), "dataspace-debian-postgres-"));
  const remove = () => fs.rmSync(directory, { recursive: true, force: true });
  try {
    if (user.uid !== undefined && user.gid !== undefined) fs.chownSync(directory, user.uid, user.gid);
    const data = path.join(directory, "data");
    const initdb = ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync"];
    const made = spawnSync(path.join(programs, "initdb"), initdb, { ...user, cwd: directory, encoding: "utf8" });
    if (made.status !== 0) throw new Error(`initdb: ${made.stderr}`);
    const port = await findFreePort();
    const log = path.join(directory, "log");
    const server = startServer(path.join(programs, "postgres"), { data, directory, port, log, user });
    const stop = async () => {
      await stopServer(server);
      remove();
    };
    await waitUntilReady(path.join(programs, "pg_isready"), { port, server, log }).catch(async (error: Error) => {
      await stop();
      throw error;
    });
    const version = spawnSync(path.join(programs, "postgres"), ["-V"], { encoding: "utf8" }).stdout.trim();
    return {
      url: `postgres://postgres@127.0.0.1:${port}/postgres`,
      version: version.replace(/^postgres \(PostgreSQL\) /, ""),
      [Symbol.asyncDispose]: stop,
    };
  } catch (error) {
    remove();
    throw error;
  }
}

interface ServerStart {
  readonly data: string;
  readonly directory: string;
  readonly port: number;
  readonly log: string;
  readonly user: object;
}

function startServer(program: string, { data, directory, port, log, user }: ServerStart): ChildProcess {
  const settings = [`port=${port}`, "listen_addresses=127.0.0.1", `unix_socket_directories=${directory}`];
  // With fsync on: in production a vault refuses a server that may lose acknowledged writes.
  settings.push("max_connections=200");
  const output = fs.openSync(log, "a");
  const child = spawn(program, ["-D", data, ...settings.flatMap((setting) => ["-c", setting])], {
    ...user,
    cwd: directory,
    stdio: ["ignore", output, output],
  });
  fs.closeSync(output);
  return child;
}

/** SIGINT is PostgreSQL's fast shutdown. */
async function stopServer(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const exited = once(server, "exit");
  server.kill("SIGINT");
  await exited;
}

async function waitUntilReady(
  program: string,
  { port, server, log }: { readonly port: number; readonly server: ChildProcess; readonly log: string },
): Promise<void> {
  const untilMs = Date.now() + READY_MS;
  while (spawnSync(program, ["-q", "-h", "127.0.0.1", "-p", String(port)]).status !== 0) {
    if (server.exitCode !== null || Date.now() > untilMs) {
      throw new Error(`The system's PostgreSQL did not start:\n${fs.readFileSync(log, "utf8")}`);
    }
    await sleep(100);
  }
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { readonly port: number };
  server.close();
  await once(server, "close");
  return port;
}
