import { randomUUID } from "node:crypto";
import type { Clock } from "./clock.ts";

const MOST_IN_A_MILLISECOND = 0xfff;

/**
 * Makes a generator of UUIDv7s, each above the previous one, also within a millisecond and when the clock steps back.
 * The twelve bits after the version count within the millisecond; when they are used up, the next millisecond is used.
 *
 * Out: a function that returns the next id. Refuses: never. Source: RFC 9562 sections 5.7 and 6.2 (method 1); decision
 * V10.
 */
export function createTimeOrderedIds(clock: Clock): () => string {
  let lastMs = 0;
  let count = 0;
  return () => {
    const nowMs = clock.nowMs();
    if (nowMs > lastMs || count === MOST_IN_A_MILLISECOND) {
      lastMs = Math.max(nowMs, lastMs + 1);
      count = 0;
    } else {
      count += 1;
    }
    const time = lastMs.toString(16).padStart(12, "0");
    const counted = count.toString(16).padStart(3, "0");
    return `${time.slice(0, 8)}-${time.slice(8)}-7${counted}-${randomUUID().slice(19)}`;
  };
}
