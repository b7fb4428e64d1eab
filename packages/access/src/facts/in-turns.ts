import { setImmediate as turn } from "node:timers/promises";

const TURN_MS = 5;

/**
 * Yields items one by one, and lets the event loop serve others when the work has taken a while.
 *
 * Refuses: never. Source: decision V25.
 */
export async function* inTurns<Item>(items: Iterable<Item>): AsyncGenerator<Item> {
  let since = performance.now();
  for (const item of items) {
    yield item;
    if (performance.now() - since < TURN_MS) continue;
    await turn();
    since = performance.now();
  }
}
