import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

/** The number of kills, the seed, and an empty directory. */
export interface RestartRun {
  readonly kills: number;
  readonly seed: number;
  readonly directory: string;
}

/** The result of the kills; without faults nothing is wrong. */
export interface RestartReport {
  readonly kills: number;
  /** Kills that came while the stack was starting. */
  readonly duringStart: number;
  readonly starts: number;
  readonly acknowledged: number;
  readonly arrivals: number;
  /** Zombie processes at the end. */
  readonly zombies: number;
  readonly faults: readonly string[];
}

const SCRIPT = fileURLToPath(new URL("./restarts-child.ts", import.meta.url));
const NAMESPACE = ["--pid", "--fork", "--mount-proc", "--kill-child"];

/** Finds why no separate process tree can be created here; undefined when one can. Refuses: never. */
export function findNoNamespace(): string | undefined {
  const { status, error, stderr } = spawnSync("unshare", [...NAMESPACE, "true"], { encoding: "utf8" });
  return status === 0 ? undefined : `unshare is not permitted here (${error?.message ?? stderr.trim()})`;
}

/**
 * Repeatedly starts the development stack in a process tree without a reaper, like a container whose first process is
 * not an init, and kills all its processes at random moments. Killed processes stay zombies.
 *
 * Refuses: when the first process of the tree fails. In: `onLine` takes lines about the progress.
 */
export async function runRestarts(run: RestartRun, onLine: (line: string) => void): Promise<RestartReport> {
  const command = [...NAMESPACE, process.execPath, SCRIPT, JSON.stringify(run)];
  const child = spawn("unshare", command, { stdio: ["ignore", "pipe", "pipe"] });
  child.stderr.setEncoding("utf8").on("data", (lines: string) => onLine(lines.trimEnd()));
  const [answer, [code]] = await Promise.all([text(child.stdout), once(child, "close")]);
  if (code !== 0) throw new Error(`the restarts ended with ${code}`);
  return JSON.parse(answer) as RestartReport;
}
