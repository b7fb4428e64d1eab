import { HOLDS_OWNER_LOCK } from "./owner-lock.ts";
import { READER_LEVEL } from "./reader-level.ts";

/**
 * Which parts the statement of a change needs. They depend on whether it creates or updates a row, writes a baseline
 * version first, leaves a policy, has an event or spends a token, and on what the record then states about group
 * members.
 */
export interface ChangeForm {
  readonly creates: boolean;
  readonly baseline: boolean;
  readonly restricts: boolean;
  readonly announces: boolean;
  readonly spends: boolean;
  readonly says: "as-before" | "nothing" | "members";
}

/** The statement's text and the name under which it is prepared once per connection. */
export interface ChangeStatementText {
  readonly name: string;
  readonly text: string;
}

const byName = new Map<string, ChangeStatementText>();

/**
 * Returns the statement that writes a change of a given form. All its parts see the same snapshot and commit together.
 * Every part names the owner, so that it runs on one node of a cluster.
 *
 * Values of each form:
 * - $1 owner, $2 id, $3 ontology, $4 payload, $5 acl, $6 acl_block, $7 version, $8 removed;
 * - $9 credential, $10 ord, $11 search, $12 at, $13 log id, $14 operation, $15 hash, $16 platform;
 * - $17 author, $18 subject, $19 restored version, $20 log operation where it differs, $21 quarantined, $22 opened by,
 *   $23 guest.
 *
 * Further values, in this order, where the form has them:
 * - event: its id, its body around data and key (the data where it differs from the payload), policy, traceparent;
 * - update: the version before;
 * - baseline: log id, ontology, payload and hash;
 * - counters: slot, ontologies and the change of each;
 * - token: itself and its expiry;
 * - group: whether the owner wrote it, statement, granted and denied.
 */
export function changeStatementText(form: ChangeForm): ChangeStatementText {
  const { creates, baseline, restricts, announces, spends, says } = form;
  const name = `change:${creates ? "create" : "update"}${baseline ? ":baseline" : ""}${restricts ? ":restricts" : ""}${announces ? "" : ":silent"}${spends ? ":spends" : ""}${says === "as-before" ? "" : `:says-${says}`}`;
  const known = byName.get(name);
  if (known !== undefined) return known;
  const made = { name, text: writeText(form) };
  byName.set(name, made);
  return made;
}

function writeText(form: ChangeForm): string {
  let next = 24;
  const parameters = (count: number) => Array.from({ length: count }, () => `$${next++}`);
  const event = form.announces ? parameters(7) : [];
  const parts = [form.creates ? INSERT_RECORD : updateRecord(parameters(1))];
  // A row that was not updated must leave no trace: each further part then selects nothing.
  const ifWritten = form.creates ? "" : "where exists (select 1 from record)";
  parts.push(insertChange(form.announces, ifWritten));
  if (form.baseline) parts.push(insertBaseline(parameters(4), ifWritten));
  if (form.restricts) parts.push(insertReaderLevel(ifWritten));
  if (form.announces) parts.push(upsertLane(ifWritten), insertEvent(event, ifWritten));
  parts.push(upsertCount(parameters(6), ifWritten));
  if (form.spends) parts.push(insertSpentToken(parameters(2), ifWritten));
  if (form.says !== "as-before") parts.push(endGroupStatement(ifWritten));
  if (form.says === "members") parts.push(insertGroupStatement(parameters(4), ifWritten));
  return `with ${parts.join(",\n")}\nselect count(*)::int as written from change_row`;
}

const ACL_KEY = "encode(sha256(convert_to($6, 'UTF8')), 'hex')";

const INSERT_RECORD = `record as (
  insert into meta_envelope (owner, id, ontology, payload, acl, acl_block, acl_key, version, removed, quarantined, credential,
                             ord, search, opened_by, guest)
  values ($1, $2, $3, $4, $5, $6, ${ACL_KEY}, $7::int, $8, $21, $9, $10, $11, $22, $23)
  returning 1)`;

function updateRecord([versionBefore]: readonly string[]): string {
  return `record as (
  update meta_envelope
     set ontology = $3, payload = $4, acl = $5, acl_block = $6, acl_key = ${ACL_KEY}, version = $7::int, removed = $8,
         quarantined = $21, credential = $9, search = $11, opened_by = $22, guest = $23
   where owner = $1 and id = $2 and version = ${versionBefore} and ord = $10
  returning 1)`;
}

// The state before the first versioned write. Source: S1 "Version record"; decision V9.
function insertBaseline([logId, ontology, payload, hash]: readonly string[], ifWritten: string): string {
  return `baseline as (
  insert into change (owner, record_id, version, log_id, operation, baseline, suppressed, ontology, payload, envelope_hash,
                      credential, at)
  select $1, $2, 1, ${logId}::uuid, 'create', true, true, ${ontology}, ${payload}, decode(${hash}, 'hex'), 'unknown',
         $12::timestamptz ${ifWritten})`;
}

// An older build, which would decide by the array, refuses to start where this row exists. Source: S1 "Versioning" 3;
// decision V11.
function insertReaderLevel(ifWritten: string): string {
  return `reader as (
  insert into reader_level (owner, min_reader) select $1, ${READER_LEVEL} ${ifWritten || "where true"} on conflict do nothing)`;
}

function insertChange(announces: boolean, ifWritten: string): string {
  return `change_row as (
  insert into change (owner, record_id, version, log_id, operation, log_operation, suppressed, ontology, payload,
                      envelope_hash, platform, author, subject, credential, restored_from, at)
  select $1, $2, $7::int, $13::uuid, $14, $20, ${!announces}, $3, case when $14 = 'delete' then null else $4 end,
         decode($15, 'hex'), $16, $17, $18, $9, $19::int, $12::timestamptz ${ifWritten}
  returning 1)`;
}

function upsertLane(ifWritten: string): string {
  return `lane as (
  insert into outbox_lane (owner, stream_id, tail_version, done_version, next_at)
  select $1, $2, $7::int, $7::int - 1, $12::timestamptz ${ifWritten || "where true"}
  on conflict (owner, stream_id) do update
     set tail_version = excluded.tail_version, next_at = coalesce(outbox_lane.next_at, excluded.next_at))`;
}

function insertEvent(
  [eventId, beforeData, data, beforeKey, afterKey, policy, traceparent]: readonly string[],
  ifWritten: string,
): string {
  return `event as (
  insert into change_event (owner, stream_id, stream_version, event_id, body, requesting_platform, policy, occurred_at,
                            traceparent)
  select $1, $2, $7::int, ${eventId}::uuid,
         ${beforeData} || coalesce(${data}, $4) || ${beforeKey}
             || coalesce((select '"' || k.public_key || '"' from owner_key k
                           where k.owner = $1 and k.removed_at is null order by k.added_at limit 1), 'null')
             || ${afterKey},
         $16, ${policy}, $12::timestamptz, ${traceparent} ${ifWritten})`;
}

function upsertCount([slot, ontologies, ...moves]: readonly string[], ifWritten: string): string {
  return `counted as (
  insert into record_count (owner, ontology, slot, n, guest_n, bytes, guest_bytes)
  select $1, moved.ontology, ${counterSlot(`${slot}::int`)}, moved.n, moved.guest_n, moved.bytes, moved.guest_bytes
    from unnest(${ontologies}::text[], ${moves.map((move) => `${move}::bigint[]`).join(", ")})
      as moved (ontology, n, guest_n, bytes, guest_bytes) ${ifWritten || "where true"}
  ${ADD_TO_COUNT})`;
}

/** The number of rows into which an owner's counters are split, so that parallel writes do not wait for one row. */
export const COUNTER_SLOTS = 16;

/**
 * Returns the counter slot of a statement: a separate one for the transaction that holds the owner's lock, otherwise
 * `slot`. That transaction holds its counters while it waits for the next row, so a statement that holds that row must
 * not wait for them.
 */
export function counterSlot(slot: string): string {
  return `case when ${HOLDS_OWNER_LOCK} then ${COUNTER_SLOTS} else ${slot} end`;
}

/** The update of an existing counter row. */
export const ADD_TO_COUNT = `on conflict (owner, ontology, slot) do update
     set n = record_count.n + excluded.n, guest_n = record_count.guest_n + excluded.guest_n,
         bytes = record_count.bytes + excluded.bytes, guest_bytes = record_count.guest_bytes + excluded.guest_bytes`;

function insertSpentToken([token, expiresAt]: readonly string[], ifWritten: string): string {
  return `spent as (
  insert into spent_token (owner, token, expires_at)
  select $1, ${token}, ${expiresAt}::timestamptz ${ifWritten})`;
}

// Only the newest statement of a record counts, and none after the owner has ended it. Source: decision V23.
function endGroupStatement(ifWritten: string): string {
  return `ended as (
  update group_statement set current = false
   where owner = $1 and record_id = $2 and current ${ifWritten.replace("where", "and")})`;
}

function insertGroupStatement([byOwner, statement, granted, denied]: readonly string[], ifWritten: string): string {
  return `stated as (
  insert into group_statement (owner, record_id, version, ord, current, by_owner, statement, granted, denied)
  select $1, $2, $7::int, $10::bigint, not $21::boolean, ${byOwner}::boolean, ${statement}, ${granted}::text[], ${denied}::text[] ${ifWritten})`;
}
