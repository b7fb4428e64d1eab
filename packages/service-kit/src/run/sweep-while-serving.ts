import type { Log } from "../log.ts";
import type { FastifyInstance } from "fastify";

/** A kind of expired data: its name, and a function that deletes a bounded part of it and returns how much that was. */
export interface Sweep {
  readonly what: string;
  readonly sweep: () => Promise<number>;
}

const INTERVAL_MS = 900_000;

/**
 * Deletes expired data while an app listens: at once and every quarter of an hour, one kind after the other, each in
 * parts until nothing is left or the app closes.
 *
 * Refuses: never; a failure is logged and retried the next time.
 */
export function sweepWhileServing(app: FastifyInstance, log: Log, sweeps: readonly Sweep[]): void {
  let running = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let isClosing = false;
  const sweepAll = (): void => {
    for (const sweep of sweeps) running = running.then(() => runSweep(log, sweep, () => isClosing));
  };
  app.addHook("onListen", async () => {
    sweepAll();
    timer = setInterval(sweepAll, INTERVAL_MS).unref();
  });
  app.addHook("onClose", async () => {
    isClosing = true;
    clearInterval(timer);
    await running;
  });
}

async function runSweep(log: Log, { what, sweep }: Sweep, isClosing: () => boolean): Promise<void> {
  let swept = 0;
  try {
    for (let part = -1; part !== 0 && !isClosing(); swept += part) part = await sweep();
  } catch (error) {
    log.warn({ err: error }, `${what} could not be deleted now`);
  }
  if (swept > 0) log.info({ swept }, `${what} were swept`);
}
