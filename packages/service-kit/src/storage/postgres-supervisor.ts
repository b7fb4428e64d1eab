import { setTimeout as sleep } from "node:timers/promises";
import { runOneStatement } from "../postgres/one-statement.ts";
import type { PostgresServer } from "./postgres-server.ts";

const PROBE_EVERY_MS = 1_000;
const PROBE_LIMIT_MS = 3_000;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

/** How the supervised server is started and checked, and who receives reports of a restart. */
export interface SupervisorDeps {
  readonly start: () => Promise<PostgresServer>;
  readonly url: string;
  readonly report: (line: string) => void;
  /** How long a server may give no answer before it is restarted. */
  readonly silenceLimitSeconds: number;
}

/** A server that is restarted whenever it ends, until it is disposed of. */
export interface SupervisedServer extends AsyncDisposable {
  /** The main process of the current run. */
  readonly pid: () => number;
  /** Resolves when the server is down permanently. */
  readonly stopped: Promise<void>;
}

/**
 * Starts the server and restarts it whenever it ends by itself or does not answer for too long, with pauses of 0.1 to 5
 * s between attempts. A full disk, for example, recovers when space is free again.
 *
 * Refuses: as the first start; later failures are reported and retried. Source: decision P4.
 */
export async function superviseServer(deps: SupervisorDeps): Promise<SupervisedServer> {
  const stopping = new AbortController();
  let server = await deps.start();
  const stopped = keepRunning();
  return {
    pid: () => server.pid,
    stopped,
    [Symbol.asyncDispose]: async () => {
      stopping.abort();
      await stopped;
    },
  };

  async function keepRunning(): Promise<void> {
    while (!stopping.signal.aborted) {
      const reason = await waitForTrouble(server, deps, stopping.signal);
      if (reason === undefined) break;
      deps.report(`The database server ${reason}; starting it again.`);
      await startAgain();
    }
    await server.stop("in order");
  }

  async function startAgain(): Promise<void> {
    for (let pauseMs = FIRST_PAUSE_MS; !stopping.signal.aborted; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      try {
        await server.stop("at once");
        server = await deps.start();
        return deps.report("The database server answers again.");
      } catch (error) {
        deps.report((error as Error).message);
        await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      }
    }
  }
}

/** Out: the server's fault in words; undefined when this process stops it. */
async function waitForTrouble(
  server: PostgresServer,
  deps: SupervisorDeps,
  stopping: AbortSignal,
): Promise<string | undefined> {
  const watching = new AbortController();
  try {
    return await Promise.race([
      server.exited,
      waitForSilence(deps, AbortSignal.any([stopping, watching.signal])),
      new Promise<undefined>((resolve) => {
        if (stopping.aborted) resolve(undefined);
        stopping.addEventListener("abort", () => resolve(undefined), { once: true, signal: watching.signal });
      }),
    ]);
  } finally {
    watching.abort();
  }
}

/** Counts only seconds in which this process ran, so that its own pauses do not count against the server. */
async function waitForSilence(deps: SupervisorDeps, signal: AbortSignal): Promise<string | undefined> {
  const silence = Promise.withResolvers<string | undefined>();
  let silentProbes = 0;
  let isProbing = false;
  const timer = setInterval(async () => {
    silentProbes += 1;
    if (silentProbes > deps.silenceLimitSeconds) silence.resolve(`gave no answer for ${deps.silenceLimitSeconds} s`);
    if (isProbing) return;
    isProbing = true;
    if (await isAnswering(deps.url)) silentProbes = 0;
    isProbing = false;
  }, PROBE_EVERY_MS);
  timer.unref();
  signal.addEventListener("abort", () => silence.resolve(undefined), { once: true });
  try {
    return await silence.promise;
  } finally {
    clearInterval(timer);
  }
}

async function isAnswering(url: string): Promise<boolean> {
  try {
    await runOneStatement({ url, timeoutMs: PROBE_LIMIT_MS }, { text: "select 1", values: [] });
    return true;
  } catch (error) {
    // "Too many connections" or "starting up" is an answer too.
    return error instanceof Error && "severity" in error;
  }
}
