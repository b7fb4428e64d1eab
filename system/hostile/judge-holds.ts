import type { ConstellationProcess } from "./constellation-process.ts";
import type { Hold } from "./probe.ts";
import type { Sent } from "./send-attacks.ts";

const MIB = 1_048_576;
const BOUND_MS = 50;
const PER_MIB_MS = 10;
/** One turn of the event loop serves every socket that is ready. */
const PER_REQUEST_AT_ONCE_MS = 1;
/** Garbage collection and a machine that does other things as well. */
const SLACK = 1.5;
const REPEATS = 2;
const MOST_SUSPECTS = 12;

/** How long requests of this size, `atOnce` of them together, may block the event loop. Source: decision V25. */
function mostHoldMs(bodyBytes: number, atOnce: number): number {
  const large = Math.max(0, Math.ceil(bodyBytes / MIB) - 1) * PER_MIB_MS;
  return (BOUND_MS + large + atOnce * PER_REQUEST_AT_ONCE_MS) * SLACK;
}

/**
 * Finds the requests that blocked the event loop for longer than V25 allows. Requests in progress during a block are
 * suspects and are sent again alone, twice. A request is at fault when it blocks the loop each time. It counts the CPU
 * time of the main thread.
 *
 * In: `atOnce`, how many were under way together. Out: what is wrong. Refuses: never.
 */
export async function judgeHolds(
  space: ConstellationProcess,
  sent: readonly Sent[],
  atOnce: number,
): Promise<readonly string[]> {
  const { holds } = await space.readLoop();
  const suspects = sent
    .map((one) => ({ one, hold: longest(holds.filter((hold) => overlaps(hold, one))) }))
    .filter(({ one, hold }) => hold.cpuMs > mostHoldMs(one.bodyBytes, atOnce))
    .sort((a, b) => b.hold.cpuMs - a.hold.cpuMs)
    .slice(0, MOST_SUSPECTS);
  const faults: string[] = [];
  for (const { one } of suspects) {
    const heldMs = await leastHoldAlone(space, one);
    if (heldMs > mostHoldMs(one.bodyBytes, 1))
      faults.push(`${one.name} alone holds the event loop for ${heldMs.toFixed(0)} ms`);
  }
  return faults;
}

async function leastHoldAlone(space: ConstellationProcess, { again }: Sent): Promise<number> {
  let leastMs = Number.POSITIVE_INFINITY;
  for (let time = 0; time < REPEATS; time++) {
    await space.reset();
    await again();
    const { holds } = await space.readLoop();
    leastMs = Math.min(leastMs, longest(holds).cpuMs);
  }
  return leastMs;
}

function overlaps({ atMs, wallMs }: Hold, { fromMs, untilMs }: Sent): boolean {
  return fromMs <= atMs && untilMs >= atMs - wallMs;
}

function longest(holds: readonly Hold[]): Hold {
  return holds.reduce((most, hold) => (hold.cpuMs > most.cpuMs ? hold : most), { atMs: 0, wallMs: 0, cpuMs: 0 });
}
