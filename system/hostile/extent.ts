/** How much is sent. */
export interface Extent {
  /** How many hostile values each field is given; undefined: all. */
  readonly perField: number | undefined;
  /** How many attacks on the fields of an operation are sent beside its example; undefined: all. */
  readonly fieldsPerOperation: number | undefined;
  /** Whether each value is sent as every caller, or as one that the seed draws. */
  readonly everyCaller: boolean;
  /** How many odd requests each operation is sent; undefined: all. */
  readonly wirePerOperation: number | undefined;
  /** How many of a request are sent at once, one size after the other. */
  readonly bursts: readonly number[];
  /** Of how many operations of a service peers vanish and bursts are sent; undefined: all. */
  readonly operationsAtOnce: number | undefined;
  readonly vanishing: number;
}
