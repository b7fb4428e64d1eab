/**
 * Runs items together: what is given while a run is under way goes into the next one, at most `most` at a time. So nobody waits
 * who comes alone, and the busier it is the more share a run.
 *
 * In: `run` gives a result for each item, in their order. Out: what takes an item and gives its result.
 * Refuses: as `run`, to every item of that run. Source: decision E1 (many lanes settled in one statement).
 */
export function createGathering<Item, Result>(
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
  most: number,
): (item: Item) => Promise<Result> {
  let waiting: { readonly item: Item; readonly settled: PromiseWithResolvers<Result> }[] = [];
  let isRunning = false;

  async function runAll(): Promise<void> {
    isRunning = true;
    // What else this turn of the event loop gives comes along.
    await Promise.resolve();
    while (waiting.length > 0) {
      const together = waiting.slice(0, most);
      waiting = waiting.slice(most);
      try {
        const results = await run(together.map(({ item }) => item));
        for (const [place, { settled }] of together.entries()) settled.resolve(results[place] as Result);
      } catch (error) {
        for (const { settled } of together) settled.reject(error);
      }
    }
    isRunning = false;
  }

  return (item) => {
    const settled = Promise.withResolvers<Result>();
    waiting.push({ item, settled });
    if (!isRunning) void runAll();
    return settled.promise;
  };
}
