import { type GroupStatement, namesOf, nextGroupStatement } from "@dataspace/access/facts/group-statement";
import type { Queryable } from "@dataspace/service-kit/postgres/database";
import type { IngestedEvent } from "../events/ingested-event.ts";
import { type RecordKey, streamKey } from "../events/judge-events.ts";
import { deleteStated, writeGroups, writeReadings } from "./write-stated-facts.ts";

/** What is stored of a record: since when, and how long the text of its statement as a self-manifest is. */
interface KnownFacts {
  readonly ord: string;
  readonly statementBytes: number;
}

/** The known facts of some records, by stream. */
export type KnownFactsByStream = ReadonlyMap<string, KnownFacts>;

/** Statements of so many bytes are read and written together, or a single longer one. */
const BYTES_AT_ONCE = 4 * 1_048_576;

/** Finds which records of some events have stated something before. */
export async function findKnownFacts(tx: Queryable, events: readonly IngestedEvent[]): Promise<KnownFactsByStream> {
  const { rows } = await tx.query<RecordKey & { readonly ord: Date; readonly statementBytes: number }>({
    name: "awareness-known-facts",
    text: `select dsid, record_id as "recordId", ord, octet_length(statement) as "statementBytes"
             from delivery_group_statement join unnest($1::text[], $2::text[]) as asked (dsid, record_id) using (dsid, record_id)
           union all
           select dsid, record_id, ord, 0
             from delivery_reading join unnest($1::text[], $2::text[]) as asked (dsid, record_id) using (dsid, record_id)`,
    values: [events.map(({ dsid }) => dsid), events.map(({ recordId }) => recordId)],
  });
  const known = new Map<string, KnownFacts>();
  for (const { ord, statementBytes, ...record } of rows) {
    const bytes = Math.max(statementBytes, known.get(streamKey(record))?.statementBytes ?? 0);
    known.set(streamKey(record), { ord: ord.toISOString(), statementBytes: bytes });
  }
  return known;
}

/**
 * Stores what accepted events state about groups and readings, in the transaction that stores the events. A statement
 * can have 30,000 eNames, so earlier statements are read a few MiB at a time.
 *
 * In: events in the order of their streams and versions; `before` is which of their records stated something before.
 * Source: decisions V23, V24, E4, V25.
 */
export async function noteStatedFacts(
  tx: Queryable,
  accepted: readonly IngestedEvent[],
  before: KnownFactsByStream,
): Promise<void> {
  const streams = Map.groupBy(accepted, streamKey);
  const newest = [...streams.values()].flatMap((events) => events.at(-1) ?? []);
  const reading = newest.flatMap((event) => {
    const payload = event.stated.reading;
    return payload === undefined ? [] : [{ event, payload, ord: ordOf(event, before) }];
  });
  const groups = [...streams].filter(
    ([key, events]) =>
      (before.get(key)?.statementBytes ?? 0) > 0 || events.some(({ stated }) => stated.manifest !== undefined),
  );
  const stating = new Set(groups.map(([key]) => key));
  const others = newest.filter((event) => before.has(streamKey(event)) && !stating.has(streamKey(event)));
  if (others.length > 0) await deleteStated(tx, others);
  for (const part of partsOf(groups, before)) await replaceGroups(tx, part, before);
  if (reading.length > 0) await writeReadings(tx, reading);
}

type Stream = readonly [key: string, events: readonly IngestedEvent[]];

function* partsOf(streams: readonly Stream[], before: KnownFactsByStream): Generator<readonly Stream[]> {
  let part: Stream[] = [];
  let bytes = 0;
  for (const stream of streams) {
    const more = before.get(stream[0])?.statementBytes ?? 0;
    if (part.length > 0 && bytes + more > BYTES_AT_ONCE) {
      yield part;
      [part, bytes] = [[], 0];
    }
    part.push(stream);
    bytes += more;
  }
  if (part.length > 0) yield part;
}

async function replaceGroups(tx: Queryable, part: readonly Stream[], before: KnownFactsByStream): Promise<void> {
  const newest = part.flatMap(([, events]) => events.at(-1) ?? []);
  const over = newest.filter((event) => before.has(streamKey(event)));
  const statements = over.length === 0 ? NO_STATEMENTS : await readStatements(tx, over);
  const rows = part.flatMap(([key, events]) => {
    const event = events.at(-1);
    const statement = events.reduce(next, statements.get(key));
    if (event === undefined || statement === undefined) return [];
    return [{ event, statement, ord: ordOf(event, before), ...namesIn(statement) }];
  });
  if (over.length > 0) await deleteStated(tx, over);
  if (rows.length > 0) await writeGroups(tx, rows);
}

const NO_STATEMENTS: ReadonlyMap<string, GroupStatement> = new Map();

async function readStatements(
  tx: Queryable,
  events: readonly IngestedEvent[],
): Promise<ReadonlyMap<string, GroupStatement>> {
  const { rows } = await tx.query<RecordKey & { readonly byOwner: boolean; readonly statement: string }>({
    name: "awareness-known-statements",
    text: `select dsid, record_id as "recordId", by_owner as "byOwner", statement
             from delivery_group_statement join unnest($1::text[], $2::text[]) as asked (dsid, record_id) using (dsid, record_id)`,
    values: [events.map(({ dsid }) => dsid), events.map(({ recordId }) => recordId)],
  });
  return new Map(
    rows.map(({ byOwner, statement, ...record }) => [streamKey(record), { ...JSON.parse(statement), byOwner }]),
  );
}

function ordOf(event: IngestedEvent, before: KnownFactsByStream): string {
  return before.get(streamKey(event))?.ord ?? event.occurredAt;
}

// An event has the whole payload, and not which fields were written. A field whose names stay counts as not written: the
// owner's change of one field then never turns into a grant what others wrote in another.
function next(before: GroupStatement | undefined, event: IngestedEvent): GroupStatement | undefined {
  const { byOwner, manifest } = event.stated;
  if (before === undefined && manifest === undefined) return undefined;
  const whole = { byOwner, payload: manifest ?? {}, isManifest: manifest !== undefined };
  const all = nextGroupStatement(before, { ...whole, written: undefined });
  if (before === undefined || all === undefined || !byOwner) return all;
  const written = Object.keys(all.granted).filter((field) => !isSame(all.granted[field], before.denied?.[field]));
  return nextGroupStatement(before, { ...whole, written });
}

function isSame(some: readonly string[] = [], others: readonly string[] = []): boolean {
  return some.length === others.length && some.every((name) => others.includes(name));
}

function namesIn({ granted, denied }: GroupStatement) {
  return { granted: namesOf(granted), denied: denied === null ? null : namesOf(denied) };
}
