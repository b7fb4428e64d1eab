import type { Extent } from "./groups.ts";

/** What the short form sends, within 90 s on two cores. */
export const SHORT: Extent = {
  perField: 1,
  everyCaller: false,
  wirePerOperation: 5,
  bursts: [30],
  operationsAtOnce: 1,
  vanishing: 10,
};

/** What `npm run hostile` sends. */
export const LONG: Extent = {
  perField: undefined,
  everyCaller: true,
  wirePerOperation: undefined,
  bursts: [10, 100, 1_000],
  operationsAtOnce: undefined,
  vanishing: 100,
};
