import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** A `dataspace` command that runs as a separate process. */
export interface RunningCommand extends AsyncDisposable {
  readonly pid: number;
  /** Its output so far. */
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Resolves once stdout or stderr contains the text; rejects when the process ends first. */
  readonly shows: (text: string) => Promise<void>;
  readonly kill: (signal: NodeJS.Signals) => void;
  /** Resolves to its exit code, or to the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals>;
}

const MAIN = fileURLToPath(new URL("../../src/main.ts", import.meta.url));

/** Starts a command with these settings and none of the test run's own. Disposing of it ends it. */
export function startCommand(args: readonly string[], settings: Readonly<Record<string, string>>): RunningCommand {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(?:DS_|DATABASE_URL|NODE_TEST|REGISTRY_)/.test(name),
  );
  const child = spawn(process.execPath, [MAIN, ...args], {
    env: { ...Object.fromEntries(inherited), ...settings },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const written = { stdout: "", stderr: "" };
  const waiting = new Set<() => void>();
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (text: string) => {
      written[name] += text;
      for (const look of waiting) look();
    });
  }
  const ended = once(child, "close").then(([code, signal]) => (code ?? signal) as number | NodeJS.Signals);
  const shows = (text: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (`${written.stdout}${written.stderr}`.includes(text)) resolve();
      };
      waiting.add(look);
      look();
      void ended.then((code) => reject(new Error(`ended with ${code}: ${written.stdout}${written.stderr}`)));
    });
  return {
    pid: child.pid ?? 0,
    stdout: () => written.stdout,
    stderr: () => written.stderr,
    shows,
    kill: (signal) => void child.kill(signal),
    ended,
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGTERM");
      await ended;
    },
  };
}
