import type { DriverLine } from "./driver.ts";
import type { Faults } from "./faults.ts";

/** A version as the vault stores it. */
export interface HistoryRow {
  readonly stream: string;
  readonly version: number;
  readonly operation: "create" | "update" | "delete";
  /** The number of its write, null in a removal. */
  readonly n: number | null;
}

/** The history of every record: the numbers of the writes, version 1 first, null for a removal. */
export type History = ReadonlyMap<string, readonly (number | null)[]>;

/** The outcome of the writes, and the history that they produced. */
export interface JudgedHistory {
  readonly history: History;
  readonly versions: number;
  readonly acknowledged: number;
  readonly refused: number;
  /** Writes without an answer, some of which were done. */
  readonly unknown: number;
  readonly unknownButThere: number;
}

/**
 * Checks the history against the writes: acknowledged writes are there, at their record; refused ones are not; none is
 * there twice; versions are 1 to n.
 *
 * In: rows by record, in the order of their versions.
 */
export async function judgeHistory(
  writes: AsyncIterable<DriverLine>,
  rows: AsyncIterable<HistoryRow>,
  faults: Faults,
): Promise<JudgedHistory> {
  const history = new Map<string, (number | null)[]>();
  const streamByNumber = new Map<number, string>();
  for await (const { stream, version, operation, n } of rows) {
    const versions = history.get(stream) ?? [];
    history.set(stream, versions);
    if (version !== versions.push(n)) faults.add(`${stream}: version ${version} is where ${versions.length} should be`);
    if ((operation === "delete") !== (n === null)) faults.add(`${stream} ${version}: a ${operation} with ${n}`);
    if (n === null) continue;
    const other = streamByNumber.get(n);
    if (other !== undefined) faults.add(`write ${n} is there twice, in ${other} and in ${stream}`);
    streamByNumber.set(n, stream);
  }
  const isThere = ({ n, stream }: Meant): boolean =>
    stream === undefined ? streamByNumber.has(n) : (history.get(stream)?.includes(null) ?? false);
  const counts = { acknowledged: 0, refused: 0, unknown: 0, unknownButThere: 0 };
  const removals = new Map<number, string>();
  for await (const line of writes) {
    const [kind, n] = line;
    // A removal has no number: its record identifies it, since a record has at most one.
    if (kind === "meant" && line[2] === "remove") removals.set(n, line[3] as string);
    if (kind === "meant") continue;
    const there = isThere({ n, stream: removals.get(n) });
    if (kind === "done") {
      counts.acknowledged += 1;
      const stream = line[2];
      if (!there) faults.add(`write ${n} to ${stream} was acknowledged and is lost`);
      else if (!removals.has(n) && streamByNumber.get(n) !== stream) faults.add(`write ${n} is not in ${stream}`);
    } else if (kind === "refused") {
      counts.refused += 1;
      if (there) faults.add(`write ${n} was refused with ${line[2]} and is there`);
    } else {
      counts.unknown += 1;
      if (there) counts.unknownButThere += 1;
    }
  }
  const versions = history.values().reduce((sum, { length }) => sum + length, 0);
  return { history, versions, ...counts };
}

interface Meant {
  readonly n: number;
  /** The record of a removal. */
  readonly stream: string | undefined;
}
