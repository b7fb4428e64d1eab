import { setTimeout as wait } from "node:timers/promises";
import { readWaiting } from "./queues.ts";
import type { Space } from "./space.ts";

const POLL_MS = 100;
const STUCK_AFTER_MS = 60_000;

/** Waits until nothing is left to do. Refuses: when nothing changes for a minute. */
export async function untilEmpty({ databases, receiver, processes }: Space): Promise<void> {
  let before = "";
  for (let sinceMs = performance.now(); ; ) {
    await Promise.all(processes.map((process) => process.life()));
    const waiting = await readWaiting(databases);
    if (Object.values(waiting).every((count) => count === 0)) return;
    const now = JSON.stringify([waiting, receiver.applied()]);
    if (now !== before) sinceMs = performance.now();
    before = now;
    if (performance.now() - sinceMs > STUCK_AFTER_MS) throw new Error(`nothing moves any more: ${now}`);
    await wait(POLL_MS);
  }
}
