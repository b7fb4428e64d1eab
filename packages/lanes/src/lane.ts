/** A column of a lane table's key, with its type. */
export interface LaneKeyColumn<Column extends string> {
  readonly name: Column;
  readonly type: "text" | "uuid";
}

/**
 * A table of lanes: its name, the columns of its key in the order in which rows are locked, and what becomes of a lane that is done:
 * it is kept, with how far it came, or deleted, and whoever adds to its stream begins it anew after what was done.
 *
 * Beside the key it has `tail_version int`, `done_version int`, `next_at timestamptz`, `lease uuid` and `attempts int`. Names are
 * written into SQL as they are, so they come from code alone.
 */
export interface LaneTable<Column extends string> {
  readonly name: string;
  readonly key: readonly LaneKeyColumn<Column>[];
  readonly whenDone: "kept" | "deleted";
}

/** Which lane: the value of each column of its key. */
export type LaneKey<Column extends string> = Readonly<Record<Column, string>>;

/**
 * A lane that was claimed: everything above `doneVersion` up to `tailVersion` is still to be done, in order.
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

/** Where statements run; a database of the service kit is one. */
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
