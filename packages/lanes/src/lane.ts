/** A column of a lane table's key, with its type. */
export interface LaneKeyColumn<Column extends string> {
  readonly name: Column;
  readonly type: "text" | "uuid";
}

/**
 * A table of lanes: its name, the columns of its key in the order in which rows are locked, and what happens to a
 * finished lane. `"retained"` leaves it with its progress; `"deleted"` removes it, and the next event of its stream creates
 * it again after the last done version.
 *
 * Beside the key it has `tail_version int`, `done_version int`, `next_at timestamptz`, `lease uuid` and `attempts int`.
 * Names are written into SQL unchanged, so they must come from code.
 */
export interface LaneTable<Column extends string> {
  readonly name: string;
  readonly key: readonly LaneKeyColumn<Column>[];
  readonly whenDone: "retained" | "deleted";
}

/** A lane's identity: the value of each column of its key. */
export type LaneKey<Column extends string> = Readonly<Record<Column, string>>;

/**
 * A claimed lane: everything above `doneVersion` up to `tailVersion` is still to be done, in order.
 *
 * `lease` is the fencing token, `attempts` counts the claims since the last completion, this one included.
 */
export interface Lane<Column extends string> {
  readonly key: LaneKey<Column>;
  readonly tailVersion: number;
  readonly doneVersion: number;
  readonly lease: string;
  readonly attempts: number;
}

/** Where statements run; a database of the service kit fits. */
export interface LaneDatabase {
  readonly query: <Row>(statement: {
    readonly text: string;
    readonly values: readonly unknown[];
    readonly name?: string;
  }) => Promise<{ readonly rows: readonly Row[] }>;
}

/** The time as milliseconds since the epoch. It decides when a lane is due, never the order in it. */
export interface LaneClock {
  readonly nowMs: () => number;
}
