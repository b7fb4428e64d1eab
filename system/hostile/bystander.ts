import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { BystanderReport, BystanderStart } from "./bystander-child.ts";

/** A client in a separate process; it sends requests between `begin` and `end`. */
export interface Bystander extends Disposable {
  readonly begin: () => void;
  readonly end: () => Promise<BystanderReport>;
}

const SCRIPT = fileURLToPath(new URL("./bystander-child.ts", import.meta.url));
const SLOWER = 20;
/** A shared machine is this slow at times. */
const PATIENCE_MS = 5_000;

/** Starts a bystander, which sends nothing yet. */
export function startBystander(start: BystanderStart): Bystander {
  const child = fork(SCRIPT, { stdio: ["ignore", "ignore", "inherit", "ipc"] });
  child.on("error", () => undefined);
  return {
    begin: () => void child.send({ begin: start }),
    end: () =>
      new Promise((resolve) => {
        child.once("message", (report) => resolve(report as BystanderReport));
        child.send("end");
      }),
    [Symbol.dispose]: () => void child.kill("SIGKILL"),
  };
}

/** Compares a bystander's results during attacks with those in quiet. Out: what is wrong. Refuses: never. */
export function judgeBystander(report: BystanderReport, quiet: BystanderReport): readonly string[] {
  const mostMs = Math.max(PATIENCE_MS, quiet.p99Ms * SLOWER);
  return [
    ...(report.failures.length > 0
      ? [`${report.failures.length} of a bystander's requests failed: ${report.failures[0]}`]
      : []),
    ...(report.p99Ms > mostMs
      ? [
          `a bystander's p99 is ${report.p99Ms.toFixed(0)} ms, against ${quiet.p99Ms.toFixed(0)} ms in quiet; at most ${mostMs.toFixed(0)} ms`,
        ]
      : []),
  ];
}
