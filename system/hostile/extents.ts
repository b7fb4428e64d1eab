import type { Extent } from "./extent.ts";

/**
 * The extent of the short form, within 90 s on two cores. The seed draws what is sent, so that runs complement each
 * other.
 */
export const SHORT: Extent = {
  perField: 1,
  fieldsPerOperation: 5,
  everyCaller: false,
  wirePerOperation: 2,
  bursts: [30],
  operationsAtOnce: 1,
  vanishing: 10,
};

/** The extent of `npm run hostile`. */
export const LONG: Extent = {
  perField: undefined,
  fieldsPerOperation: undefined,
  everyCaller: true,
  wirePerOperation: undefined,
  bursts: [10, 100, 1_000],
  operationsAtOnce: undefined,
  vanishing: 100,
};
