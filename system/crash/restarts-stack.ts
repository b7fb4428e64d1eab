import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { CHECKOUT_DIRECTORY } from "../checkout.ts";

/** One run of the stack, until it is killed. */
export interface StackRun {
  /** Whether it started; false when it ended before, or did not start within a minute. */
  readonly ready: Promise<boolean>;
  readonly ended: Promise<unknown>;
  readonly hasEnded: () => boolean;
  readonly stderr: () => string;
}

/** The development stack on one data directory and fixed ports. */
export interface Stack {
  readonly dataDirectory: string;
  readonly vaultUrl: string;
  readonly awarenessUrl: string;
  readonly start: () => StackRun;
}

const MAIN = join(CHECKOUT_DIRECTORY, "apps/cli/src/main.ts");
const START_LIMIT_MS = 60_000;
/** Ports whose admin ports are free too, all below the range of outgoing connections. */
const PORTS = { from: 11_000, to: 19_000 };
const SERVICES = ["REGISTRY", "VAULT", "AWARENESS", "SANDBOX", "OIDC", "AUTHORITY"] as const;

/** Chooses free ports; nothing is started yet. In: an empty directory. Refuses: never by itself. */
export async function createStack(directory: string): Promise<Stack> {
  // The database's user must be able to enter it, or the data would be stored elsewhere.
  await chmod(directory, 0o711);
  const dataDirectory = join(directory, "data");
  const ports = await Promise.all(SERVICES.map((_name, index) => findFreePort(index)));
  const settings = Object.fromEntries(SERVICES.map((name, index) => [`DS_${name}_PORT`, String(ports[index])]));
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(?:DS_|DATABASE_URL|NODE_TEST|REGISTRY_)/.test(name),
  );
  const env = { ...Object.fromEntries(inherited), ...settings, DS_DATA_DIR: dataDirectory };
  return {
    dataDirectory,
    vaultUrl: `http://127.0.0.1:${ports[1]}`,
    awarenessUrl: `http://127.0.0.1:${ports[2]}`,
    start: () => startStack(env),
  };
}

function startStack(env: Readonly<Record<string, string | undefined>>): StackRun {
  const child = spawn(process.execPath, [MAIN, "dev"], { env, stdio: ["ignore", "pipe", "pipe"] });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (lines: string) => {
    stderr = (stderr + lines).slice(-4_000);
  });
  const ended = once(child, "exit");
  // It first prints the table of addresses, once everything listens and the demo people exist.
  const said = once(child.stdout, "data").then(
    () => true,
    () => false,
  );
  child.stdout.on("data", () => undefined);
  const late = AbortSignal.timeout(START_LIMIT_MS);
  const lateness = new Promise<false>((resolve) => late.addEventListener("abort", () => resolve(false)));
  return {
    ready: Promise.race([said, ended.then(() => false), lateness]),
    ended,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    stderr: () => stderr,
  };
}

// Each within a separate range, so that no two get the same.
async function findFreePort(index: number): Promise<number> {
  const width = (PORTS.to - PORTS.from) / SERVICES.length;
  for (;;) {
    const port = PORTS.from + Math.floor((index + Math.random()) * width);
    if ((await isFree(port)) && (await isFree(port + 10_000))) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const listens = await new Promise<boolean>((resolve) => {
    server.once("error", () => resolve(false)).listen(port, "127.0.0.1", () => resolve(true));
  });
  if (listens) await new Promise((closed) => server.close(closed));
  return listens;
}
