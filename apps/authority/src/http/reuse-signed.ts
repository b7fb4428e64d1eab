import type { Clock } from "@dataspace/service-kit/clock";

/** Gives what was signed lately for the same content, or signs it. */
export type ReuseSigned<T> = (place: string, content: string, sign: () => Promise<T>) => Promise<T>;

interface Signed<T> {
  readonly content: string;
  readonly sinceMs: number;
  readonly value: Promise<T>;
}

const REUSED_MS = 30_000;
const MOST_PLACES = 64;

/**
 * Makes a memory of signed answers: one for each place, used again for 30 s while its content stays the same. Anybody may
 * ask for a status list or a checkpoint, so that the cost of an answer must not be a signature each.
 *
 * Refuses: as `sign`; a failure is not remembered. Source: decision V25.
 */
export function createReuseSigned<T>(clock: Clock): ReuseSigned<T> {
  const known = new Map<string, Signed<T>>();
  return (place, content, sign) => {
    const last = known.get(place);
    if (last !== undefined && last.content === content && clock.nowMs() - last.sinceMs < REUSED_MS) return last.value;
    const [oldest] = known.keys();
    if (known.size >= MOST_PLACES && oldest !== undefined) known.delete(oldest);
    const value = sign();
    known.set(place, { content, sinceMs: clock.nowMs(), value });
    value.catch(() => {
      if (known.get(place)?.value === value) known.delete(place);
    });
    return value;
  };
}
