import type { EName } from "@dataspace/protocol/ename";
import type { Queryable } from "@dataspace/service-kit/postgres/database";
import type { BlobPlace } from "../files/blob-store.ts";
import type { StoredMetaEnvelope } from "../meta-envelopes/stored-meta-envelope.ts";
import { ADD_TO_COUNT, counterSlot } from "./change-statement.ts";
import { VERSION_BYTES } from "./quota-item.ts";

/** What an erasure reads of a record. */
export type RecordToErase = Pick<StoredMetaEnvelope, "id" | "ontology" | "version" | "removed" | "quarantined"> & {
  /** The legacy array, null where it is the owner alone. */
  readonly acl: readonly string[] | null;
  readonly aclBlock: string | null;
};

const COLUMNS = `id, ontology, version, removed, quarantined, acl, acl_block as "aclBlock"`;

/** Lists an owner's records after an id, active and removed, and locks them until the transaction ends. */
export async function lockRecordsAfter(
  transaction: Queryable,
  owner: EName,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<readonly RecordToErase[]> {
  const text = `select ${COLUMNS} from meta_envelope where owner = $1 and id > $2 order by id limit $3::int for update`;
  return (await transaction.query<RecordToErase>({ text, values: [owner, after, limit] })).rows;
}

/** Lists and locks records whose content a version still has: written after an erasure had passed their ids. */
export async function lockRecordsWithContent(
  transaction: Queryable,
  owner: EName,
  limit: number,
): Promise<readonly RecordToErase[]> {
  const text = `select ${COLUMNS} from meta_envelope where owner = $1 and id = any (array(${WITH_CONTENT} limit $2::int))
    order by id for update`;
  return (await transaction.query<RecordToErase>({ text, values: [owner, limit] })).rows;
}

/** Whether any version of an owner has content. */
export async function hasContent(transaction: Queryable, owner: EName): Promise<boolean> {
  return (await transaction.query({ text: `${WITH_CONTENT} limit 1`, values: [owner] })).rowCount > 0;
}

const WITH_CONTENT = "select record_id from change where owner = $1 and payload is not null";

/** Finds one record to erase, and locks it until the transaction ends. */
export async function lockRecordToErase(
  transaction: Queryable,
  owner: EName,
  id: string,
): Promise<RecordToErase | undefined> {
  const text = `select ${COLUMNS} from meta_envelope where owner = $1 and id = $2 for update`;
  return (await transaction.query<RecordToErase>({ text, values: [owner, id] })).rows[0];
}

/** The removal that an erasure writes for an active record; `event` is null where no event announced the record. */
export interface ErasingRemoval {
  readonly id: string;
  readonly ontology: string;
  readonly version: number;
  readonly logId: string;
  readonly hash: string;
  readonly isCounted: boolean;
  readonly event: { readonly id: string; readonly body: string; readonly policy: string } | null;
}

const REMOVE = `with item as (
  select * from json_to_recordset($2::json) as r (id text, ontology text, version int, "logId" uuid, hash text, "isCounted" boolean, event json)),
version as (
  insert into change (owner, record_id, version, log_id, operation, suppressed, ontology, envelope_hash, author, subject, credential, at)
  select $1, id, version, "logId", 'delete', event is null, ontology, decode(hash, 'hex'), $3, $3, $4, $5::timestamptz from item),
lane as (
  insert into outbox_lane (owner, stream_id, tail_version, done_version, next_at)
  select $1, id, version, version - 1, $5::timestamptz from item where event is not null
  on conflict (owner, stream_id) do update
     set tail_version = excluded.tail_version, next_at = coalesce(outbox_lane.next_at, excluded.next_at)),
event as (
  insert into change_event (owner, stream_id, stream_version, event_id, body, policy, occurred_at)
  select $1, id, version, (event ->> 'id')::uuid, event ->> 'body', event ->> 'policy', $5::timestamptz
    from item where event is not null)
insert into record_count (owner, ontology, slot, n, guest_n, bytes, guest_bytes)
select $1, ontology, ${counterSlot("0")}, -count(*) filter (where "isCounted"),
       -count(*) filter (where exists (select from meta_envelope m where m.owner = $1 and m.id = item.id and m.guest)),
       count(*) * ${VERSION_BYTES}, 0
  from item group by ontology order by ontology ${ADD_TO_COUNT}`;

/** Writes removals of active records: version, log entry, event. Their rows change in `blankRecords`. In: ISO 8601. */
export async function removeForErasure(
  transaction: Queryable,
  owner: EName,
  removals: {
    readonly items: readonly ErasingRemoval[];
    readonly subject: EName | null;
    readonly credential: string;
    readonly at: string;
  },
): Promise<void> {
  const { items, subject, credential, at } = removals;
  if (items.length === 0) return;
  await transaction.query({ text: REMOVE, values: [owner, JSON.stringify(items), subject, credential, at] });
}

const BLANK_VERSIONS = `with long as (
  select record_id, version, octet_length(payload) as bytes from change
   where owner = $1 and record_id = any ($2::text[]) and payload is not null),
blank as (
  update change c set payload = null from long l
   where c.owner = $1 and c.record_id = l.record_id and c.version = l.version
  returning c.ontology, c.credential, l.bytes)
insert into record_count (owner, ontology, slot, n, guest_n, bytes, guest_bytes)
select $1, ontology, ${counterSlot("0")}, 0, 0, -coalesce(sum(bytes) filter (where credential <> 'anonymous'), 0),
       -coalesce(sum(bytes) filter (where credential = 'anonymous'), 0)
  from blank group by ontology order by ontology ${ADD_TO_COUNT}`;

/**
 * Erases the content of records: payloads of all versions, current rows, waiting events but those of removals, group
 * statements, the access policy. Versions, hashes, times and writers stay. In: `versions`, the newest of each record.
 */
export async function blankRecords(
  transaction: Queryable,
  owner: EName,
  records: { readonly ids: readonly string[]; readonly versions: readonly number[]; readonly emptySearch: string },
): Promise<void> {
  const { ids, versions, emptySearch } = records;
  const run = (text: string, ...more: readonly unknown[]) => transaction.query({ text, values: [owner, ids, ...more] });
  await run(BLANK_VERSIONS);
  await run(
    "delete from change_event where owner = $1 and stream_id = any ($2::text[]) and body::json ->> 'operation' <> 'delete'",
  );
  await run("delete from group_statement where owner = $1 and record_id = any ($2::text[])");
  await run("delete from owner_policy where owner = $1 and record_id = any ($2::text[])");
  await run(
    `update meta_envelope m set payload = '{}', search = $4, removed = true, acl = null, acl_block = null, acl_key = null,
        opened_by = null, version = given.version
       from unnest($2::text[], $3::int[]) as given (id, version) where m.owner = $1 and m.id = given.id`,
    versions,
    emptySearch,
  );
}

/** Condemns the files of records; with `ids` undefined all files of the owner. Out: their places. */
export async function condemnFilesOf(
  transaction: Queryable,
  owner: EName,
  ids: readonly string[],
): Promise<readonly BlobPlace[]> {
  const text = `update stored_file set state = 'condemned' where owner = $1 and record_id = any ($2::text[])
    returning owner, blob_key as "blobKey"`;
  return (await transaction.query<BlobPlace>({ text, values: [owner, ids] })).rows;
}

/**
 * Erases the stored answers to keyed requests, which repeat payloads. Their keys stay, so that a retry is not a second write.
 * It waits for requests that hold a key.
 */
export async function eraseAnswers(transaction: Queryable, owner: EName): Promise<void> {
  const text = "update idempotent_answer set answer = null where owner = $1 and answer is not null";
  await transaction.query({ text, values: [owner] });
}

/** Deletes what a whole vault has beside its records: which platforms had access, and the readers of arrays. */
export async function deleteTraces(transaction: Queryable, owner: EName): Promise<void> {
  for (const table of ["platform_access", "array_reader"]) {
    await transaction.query({ text: `delete from ${table} where owner = $1`, values: [owner] });
  }
}

/** An erasure that the awareness service has to repeat: of one record, or of the whole vault where `id` is empty. */
export interface Erasure {
  readonly owner: EName;
  readonly id: string;
  /** ISO 8601: events up to this time are erased. */
  readonly before: string;
}

/** Notes an erasure for the awareness service, in the transaction that erases. */
export async function noteErasure(transaction: Queryable, { owner, id, before }: Erasure): Promise<void> {
  await transaction.query({
    text: `insert into erasure (owner, record_id, before) values ($1, $2, $3::timestamptz)
      on conflict (owner, record_id) do update set before = excluded.before`,
    values: [owner, id, before],
  });
}

const ERASURES =
  "select owner, record_id as id, to_json(before at time zone 'UTC') #>> '{}' || 'Z' as before from erasure";

/** Finds an erasure that the awareness service has not confirmed for good. */
export async function findErasure(
  database: Queryable,
  { owner, id }: Pick<Erasure, "owner" | "id">,
): Promise<Erasure | undefined> {
  const text = `${ERASURES} where owner = $1 and record_id = $2`;
  return (await database.query<Erasure>({ text, values: [owner, id] })).rows[0];
}

/** Lists erasures that the awareness service has not confirmed for good, by owner and record, after one of them. */
export async function listErasures(
  database: Queryable,
  { after, atMost }: { readonly after: Pick<Erasure, "owner" | "id"> | undefined; readonly atMost: number },
): Promise<readonly Erasure[]> {
  const text = `${ERASURES}
    where (owner, record_id) > ($1, $2) order by owner, record_id limit $3::int`;
  return (await database.query<Erasure>({ text, values: [after?.owner ?? "", after?.id ?? "", atMost] })).rows;
}

/** Forgets an erasure that is confirmed. */
export async function forgetErasure(database: Queryable, { owner, id, before }: Erasure): Promise<void> {
  const text = "delete from erasure where owner = $1 and record_id = $2 and before = $3::timestamptz";
  await database.query({ text, values: [owner, id, before] });
}
