import type { Log } from "../log.ts";
import type { FastifyInstance } from "fastify";

/** Something that has served its time: what it is, and how a bounded part of it is dealt with, which gives how much that was. */
export interface Sweep {
  readonly what: string;
  readonly sweep: () => Promise<number>;
}

const INTERVAL_MS = 900_000;

/**
 * Sweeps while an app listens: at once and every quarter of an hour, one thing after the other, each part by part until nothing
 * is left of it or the app closes.
 *
 * Refuses: never; what fails is logged and tried again the next time.
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
    log.warn({ err: error }, `${what} could not be swept now`);
  }
  if (swept > 0) log.info({ swept }, `${what} were swept`);
}
