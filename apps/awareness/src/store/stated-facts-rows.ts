import { type GroupStatement, namesOf, nextGroupStatement } from "@dataspace/access/facts/group-statement";
import type { Queryable } from "@dataspace/service-kit/postgres/database";
import type { IngestedEvent } from "../events/ingested-event.ts";
import { streamKey } from "../events/judge-events.ts";
import { deleteStated, writeGroups, writeReadings } from "./write-stated-facts.ts";

/** What is stored of a record: since when, and what it states as a self-manifest. */
interface KnownFacts {
  readonly ord: string;
  readonly statement: GroupStatement | undefined;
}

/** The known facts of some records, by stream. */
export type KnownFactsByStream = ReadonlyMap<string, KnownFacts>;

interface KnownRow {
  readonly dsid: string;
  readonly recordId: string;
  readonly ord: Date;
  readonly byOwner: boolean | null;
  readonly statement: string | null;
}

/** Finds what records of some events have stated before. */
export async function findKnownFacts(tx: Queryable, events: readonly IngestedEvent[]): Promise<KnownFactsByStream> {
  const { rows } = await tx.query<KnownRow>({
    name: "awareness-known-facts",
    text: `select dsid, record_id as "recordId", ord, by_owner as "byOwner", statement
             from delivery_group_statement join unnest($1::text[], $2::text[]) as asked (dsid, record_id) using (dsid, record_id)
           union all
           select dsid, record_id, ord, null, null
             from delivery_reading join unnest($1::text[], $2::text[]) as asked (dsid, record_id) using (dsid, record_id)`,
    values: [events.map(({ dsid }) => dsid), events.map(({ recordId }) => recordId)],
  });
  const known = new Map<string, KnownFacts>();
  for (const { dsid, recordId, ord, byOwner, statement } of rows) {
    const key = `${dsid} ${recordId}`;
    const read = statement === null ? known.get(key)?.statement : { ...JSON.parse(statement), byOwner };
    known.set(key, { ord: ord.toISOString(), statement: read });
  }
  return known;
}

/**
 * Stores what accepted events state about groups and readings, in the transaction that stores the events.
 *
 * In: events in the order of their streams and versions; `before` is what their records stated before.
 * Source: decisions V23, V24, E4.
 */
export async function noteStatedFacts(
  tx: Queryable,
  accepted: readonly IngestedEvent[],
  before: KnownFactsByStream,
): Promise<void> {
  const groups = new Map<string, { readonly event: IngestedEvent; readonly statement: GroupStatement | undefined }>();
  const newest = new Map(accepted.map((event) => [streamKey(event), event]));
  for (const event of accepted) {
    const key = streamKey(event);
    const known = (groups.get(key) ?? before.get(key))?.statement;
    const statement = known === undefined && event.stated.manifest === undefined ? undefined : next(known, event);
    groups.set(key, { event, statement });
  }
  const stating = [...groups].flatMap(([key, { event, statement }]) =>
    statement === undefined ? [] : [{ event, statement, ord: before.get(key)?.ord ?? event.occurredAt }],
  );
  const reading = [...newest].flatMap(([key, event]) =>
    event.stated.reading === undefined
      ? []
      : [{ event, payload: event.stated.reading, ord: before.get(key)?.ord ?? event.occurredAt }],
  );
  const over = [...newest.values()].filter((event) => before.has(streamKey(event)));
  if (over.length > 0) await deleteStated(tx, over);
  if (stating.length > 0)
    await writeGroups(
      tx,
      stating.map((row) => ({ ...row, ...namesIn(row.statement) })),
    );
  if (reading.length > 0) await writeReadings(tx, reading);
}

// An event has the whole payload, and not which fields were written. A field whose names stay counts as not written: the
// owner's change of one field then never turns into a grant what others wrote in another.
function next(before: GroupStatement | undefined, event: IngestedEvent): GroupStatement | undefined {
  const { byOwner, manifest } = event.stated;
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
