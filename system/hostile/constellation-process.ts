import { type ChildProcess, fork } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CHECKOUT_DIRECTORY } from "../checkout.ts";
import type { Environment } from "../service.ts";
import type { RunningService } from "../start-services.ts";
import type { Question, Started } from "./constellation-child.ts";
import type { Footprint, LoopReport, ServedRoute } from "./probe.ts";

/** The constellation in a separate process, and the results of its probe. Disposing of it kills it. */
export interface ConstellationProcess extends AsyncDisposable {
  readonly services: readonly RunningService[];
  readonly pid: number;
  readonly routes: () => Promise<readonly ServedRoute[]>;
  readonly reset: () => Promise<void>;
  readonly readLoop: () => Promise<LoopReport>;
  readonly readFootprint: () => Promise<Footprint>;
  /** Rejects when the process ends by itself; it never resolves. */
  readonly ended: Promise<never>;
}

const SCRIPT = fileURLToPath(new URL("./constellation-child.ts", import.meta.url));
const COMPILE_CACHE = { NODE_COMPILE_CACHE: join(CHECKOUT_DIRECTORY, "node_modules/.cache/compile") };
const PATIENCE_MS = 60_000;

/**
 * Starts the constellation. In: its settings, and the file that takes its log.
 *
 * Refuses: an Error when it ends before it listens, or leaves a question unanswered for 60 s.
 */
export async function startConstellationProcess(env: Environment, logFile: string): Promise<ConstellationProcess> {
  const child = spawn(logFile);
  const ask = createAsk(child);
  let stopping = false;
  const closed = new Promise<string>((resolve) =>
    child.once("close", (code, signal) => resolve(`${signal ?? `exit code ${code}`}`)),
  );
  const ended = closed.then((how): never => {
    if (stopping) return undefined as never;
    throw new Error(`the constellation ended by itself with ${how}; see ${logFile}`);
  });
  ended.catch(() => undefined);
  const stop = async (): Promise<void> => {
    stopping = true;
    child.kill("SIGKILL");
    await closed;
  };
  try {
    const { services } = await Promise.race([ask<Started>({ ask: "start", env }), ended]);
    return {
      services,
      pid: child.pid as number,
      ended,
      routes: () => Promise.race([ask<readonly ServedRoute[]>({ ask: "routes" }), ended]),
      reset: () => Promise.race([ask<void>({ ask: "reset" }), ended]),
      readLoop: () => Promise.race([ask<LoopReport>({ ask: "loop" }), ended]),
      readFootprint: () => Promise.race([ask<Footprint>({ ask: "footprint" }), ended]),
      [Symbol.asyncDispose]: stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function spawn(logFile: string): ChildProcess {
  const log = openSync(logFile, "a");
  try {
    return fork(SCRIPT, {
      execArgv: ["--expose-gc"],
      stdio: ["ignore", log, log, "ipc"],
      env: { ...COMPILE_CACHE, PATH: process.env["PATH"], HOME: process.env["HOME"] },
    });
  } finally {
    closeSync(log);
  }
}

// One query at a time: answers come in the order of the queries.
function createAsk(child: ChildProcess): <Answer>(question: Question) => Promise<Answer> {
  let last: Promise<unknown> = Promise.resolve();
  return <Answer>(question: Question): Promise<Answer> => {
    const asked = last.then(() => askOnce<Answer>(child, question));
    last = asked.catch(() => undefined);
    return asked;
  };
}

function askOnce<Answer>(child: ChildProcess, question: Question): Promise<Answer> {
  return new Promise<Answer>((resolve, reject) => {
    const late = setTimeout(() => {
      child.off("message", take);
      reject(new Error(`the constellation does not answer "${question.ask}" within ${PATIENCE_MS / 1000} s`));
    }, PATIENCE_MS);
    function take(message: unknown): void {
      clearTimeout(late);
      resolve((message as { readonly it: Answer }).it);
    }
    child.once("message", take);
    child.send(question, (error) => {
      if (error !== null) reject(error);
    });
  });
}
