import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

/** A development stack that runs as a process of its own, on free ports and a directory of its own. */
export interface RunningStack extends AsyncDisposable {
  readonly screen: string;
  /** What commands need in their environment to meet this stack instead of one on the usual ports. */
  readonly env: Readonly<Record<string, string>>;
  /** Replaces the usual addresses of a page by those of this stack. */
  readonly at: (text: string) => string;
}

const USUAL_PORTS = {
  registry: 4321,
  vault: 4000,
  awareness: 4100,
  login: 4200,
  authority: 4300,
  sandbox: 8080,
} as const;
const ADMIN_OFFSET = 10_000;
/** Settings by which a stack takes whatever ports are free. */
export const FREE_PORTS: Readonly<Record<string, string>> = {
  DS_REGISTRY_PORT: "0",
  DS_VAULT_PORT: "0",
  DS_AWARENESS_PORT: "0",
  DS_OIDC_PORT: "0",
  DS_AUTHORITY_PORT: "0",
  DS_SANDBOX_PORT: "0",
  PLATFORM_PORT: "0",
  PLAZA_PORT: "0",
  CORNER_PORT: "0",
};

/** The environment without the settings of whoever runs the tests. */
export function plainEnvironment(): Readonly<Record<string, string | undefined>> {
  const isOwn = (name: string): boolean => /^(?:DS_|DATABASE_URL|NODE_TEST|NODE_OPTIONS|REGISTRY_|npm_)/.test(name);
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !isOwn(name)));
}

/** Starts the stack as `npm start` does. Refuses: Error with what it printed when it ends before it is ready. */
export async function startStack(root: string): Promise<RunningStack> {
  const directory = await mkdtemp(path.join(tmpdir(), "dataspace-stack-"));
  const env = { ...plainEnvironment(), ...FREE_PORTS, DS_DATA_DIR: directory };
  const main = path.join(root, "apps/cli/src/main.ts");
  const child = spawn(process.execPath, [main, "dev"], { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] });
  const ended = once(child, "close");
  const stop = async (): Promise<void> => {
    child.kill("SIGTERM");
    await ended;
    await rm(directory, { recursive: true, force: true });
  };
  try {
    const screen = await readUntil(child, "Stop with Ctrl-C");
    return { screen, ...meet(screen, directory), [Symbol.asyncDispose]: stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Reads what a child prints until a text is in it. Refuses: Error with all of it when the child ends first. */
export async function readUntil(child: ChildProcess, text: string): Promise<string> {
  let printed = "";
  return await new Promise((resolve, reject) => {
    const read = (part: Buffer): void => {
      printed += part.toString();
      if (printed.includes(text)) resolve(printed);
    };
    child.stdout?.on("data", read);
    child.stderr?.on("data", read);
    child.once("close", (code) => reject(new Error(`ended with ${code} before "${text}":\n${printed}`)));
  });
}

function meet(screen: string, directory: string): Pick<RunningStack, "env" | "at"> {
  const ports = Object.entries(USUAL_PORTS).map(([name, usual]) => {
    const port = new RegExp(`^ +${name} +http://127\\.0\\.0\\.1:(\\d+)`, "m").exec(screen)?.[1];
    if (port === undefined) throw new Error(`the stack names no address of ${name}:\n${screen}`);
    return { name, usual, port: Number(port) };
  });
  const url = (wanted: string): string =>
    `http://127.0.0.1:${ports.find(({ name }) => name === wanted)?.port ?? "absent"}`;
  const at = (text: string): string =>
    ports.reduce(
      (given, { usual, port }) =>
        given
          .replaceAll(`127.0.0.1:${usual}`, `127.0.0.1:${port}`)
          .replaceAll(`127.0.0.1:${usual + ADMIN_OFFSET}`, `127.0.0.1:${port + ADMIN_OFFSET}`),
      text,
    );
  return {
    at,
    env: {
      DS_DATA_DIR: directory,
      DS_REGISTRY_URL: url("registry"),
      DS_VAULT_URL: url("vault"),
      DS_AUTHORITY_URL: url("authority"),
      DS_AWARENESS_URL: url("awareness"),
    },
  };
}
