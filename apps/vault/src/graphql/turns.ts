/** Waits for a turn of the event loop with capacity for so many characters of work; undefined: the current one. */
export type WaitForTurn = (characters: number) => Promise<void> | undefined;

/** About 2 ms of parsing. */
const CHARACTERS_A_TURN = 262_144;

/**
 * Makes the distribution of work over turns of the event loop, in order of arrival, so that others are served in
 * between. Refuses: never. Source: decision V25.
 */
export function createTurns(): WaitForTurn {
  const waiting: { readonly characters: number; readonly start: () => void }[] = [];
  let left = CHARACTERS_A_TURN;
  let isScheduled = false;
  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(startTurn);
  }
  function startTurn(): void {
    isScheduled = false;
    left = CHARACTERS_A_TURN;
    while (left > 0) {
      const next = waiting.shift();
      if (next === undefined) return;
      left -= next.characters;
      next.start();
    }
    schedule();
  }
  return (characters) => {
    if (left > 0 && waiting.length === 0) {
      left -= characters;
      schedule();
      return undefined;
    }
    schedule();
    return new Promise((start) => waiting.push({ characters, start }));
  };
}
