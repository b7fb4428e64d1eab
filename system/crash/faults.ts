/** The faults of a run: their number, and the first ones as text. */
export interface Faults {
  readonly add: (fault: string) => void;
  readonly count: () => number;
  readonly first: readonly string[];
}

const MOST_TOLD = 20;

/** Makes an empty collection. */
export function createFaults(): Faults {
  const first: string[] = [];
  let count = 0;
  return {
    add: (fault) => {
      count += 1;
      if (first.length < MOST_TOLD) first.push(fault);
    },
    count: () => count,
    first,
  };
}
