import { type ChildProcess, fork } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { CHECKOUT_DIRECTORY } from "../checkout.ts";
import type { Arming, ServiceStart } from "./service-child.ts";

/** One run of a service's process, from when it listens. */
export interface Life {
  /** Makes it end, or stop, at a step; resolves when it is there. */
  readonly arm: (arming: Arming) => Promise<void>;
  readonly pause: () => void;
  readonly resume: () => void;
  readonly ended: Promise<unknown>;
}

/** A service in a separate process, which is restarted whenever it was killed, until it is disposed of. */
export interface ServiceProcess extends AsyncDisposable {
  readonly name: string;
  readonly service: ServiceStart["service"];
  /** The current run, or the next one once it listens. Refuses: when the process ended by itself. */
  readonly life: () => Promise<Life>;
  /** The current process. */
  readonly pid: () => number | undefined;
  /** Ends the current process immediately. */
  readonly kill: () => void;
  /** How often it was killed. */
  readonly kills: () => number;
}

/** Which service, under which name, and the file for its output. */
export interface ServiceProcessConfig {
  readonly name: string;
  readonly start: ServiceStart;
  readonly logFile: string;
}

/** The launcher's location, for runs without the launcher. */
const COMPILE_CACHE = { NODE_COMPILE_CACHE: join(CHECKOUT_DIRECTORY, "node_modules/.cache/compile") };
const SCRIPT = fileURLToPath(new URL("./service-child.ts", import.meta.url));
const MOST_FAILED_STARTS = 40;
const START_PAUSE_MS = 250;

/**
 * Restarts a service whenever it was killed. If it ends by itself, the run fails. A start may fail, since the database
 * may be stopped then, and is retried for ten seconds.
 */
export function startServiceProcess(config: ServiceProcessConfig): ServiceProcess {
  let stopping = false;
  let child: ChildProcess | undefined;
  let kills = 0;
  let next = Promise.withResolvers<Life>();
  async function keepRunning(): Promise<void> {
    for (let failedStarts = 0; !stopping; ) {
      const started = spawn(config);
      child = started;
      const ended = endOf(started);
      const ready = new Promise<true>((resolve) => started.once("message", () => resolve(true)));
      const isReady = await Promise.race([ready, ended.then(() => false)]);
      if (isReady) {
        failedStarts = 0;
        next.resolve(toLife(started, ended));
      }
      const { code, signal } = await ended;
      if (isReady) next = Promise.withResolvers();
      if (stopping) return;
      if (signal === "SIGKILL") {
        kills += 1;
        continue;
      }
      failedStarts += 1;
      if (isReady || failedStarts > MOST_FAILED_STARTS) {
        throw new Error(`${config.name} ended by itself, with ${signal ?? code}: see ${config.logFile}`);
      }
      await wait(START_PAUSE_MS);
    }
  }
  const running = keepRunning().catch((error: unknown) => {
    next.promise.catch(() => undefined);
    next.reject(error);
  });
  return {
    name: config.name,
    service: config.start.service,
    life: () => next.promise,
    pid: () => child?.pid,
    kill: () => child?.kill("SIGKILL"),
    kills: () => kills,
    [Symbol.asyncDispose]: async () => {
      stopping = true;
      child?.kill("SIGKILL");
      await running;
    },
  };
}

function spawn({ start, logFile }: ServiceProcessConfig): ChildProcess {
  const log = openSync(logFile, "a");
  try {
    const child = fork(SCRIPT, {
      stdio: ["ignore", log, log, "ipc", "pipe"],
      env: { ...COMPILE_CACHE, ...process.env },
    });
    child.send({ start });
    return child;
  } finally {
    closeSync(log);
  }
}

interface End {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

// A message that does not reach a process any more causes a separate error, which the process's end explains.
function endOf(child: ChildProcess): Promise<End> {
  child.on("error", () => undefined);
  return new Promise((resolve) => child.once("close", (code, signal) => resolve({ code, signal })));
}

function toLife(child: ChildProcess, ended: Promise<unknown>): Life {
  const reports = child.stdio[4] as Readable;
  return {
    arm: (arm) => {
      if (child.connected) child.send({ arm });
      return new Promise((resolve) => reports.once("data", () => resolve()));
    },
    pause: () => child.kill("SIGSTOP"),
    resume: () => child.kill("SIGCONT"),
    ended,
  };
}
