import type { GroupStatement } from "@dataspace/access/facts/group-statement";
import type { Queryable, Statement } from "@dataspace/service-kit/postgres/database";
import type { Change } from "../meta-envelopes/change.ts";
import { changeEventBody } from "../meta-envelopes/change-event-body.ts";
import type { Payload } from "../meta-envelopes/payload.ts";
import { payloadToSearchText } from "../meta-envelopes/search-text.ts";
import { ADD_TO_COUNT, counterSlot } from "./change-statement.ts";
import { chooseCounterSlot, groupStatementValues, isOwnerAlone, isTokenSpent, policyText } from "./commit-change.ts";
import { VERSION_BYTES } from "./quota-item.ts";
import { READER_LEVEL } from "./reader-level.ts";
import type { TokenUse } from "./token-use.ts";

/**
 * One creation among many: the change with the payload as a value, and what it states about the group that the owner
 * is, if anything.
 */
export interface Creation {
  readonly change: Change;
  readonly payload: Payload;
  readonly groupStatement: GroupStatement | undefined;
}

/** Creations for one owner by one writer at one time, and the wallet token they spend, if any. Suppressed ones have no events. */
export interface BulkToCommit {
  readonly creations: readonly Creation[];
  readonly suppressed: boolean;
  readonly tokenUse: TokenUse | undefined;
  /** The span of this commit, for the events; null without one. */
  readonly traceparent: string | null;
}

const TEXT = `with item as (
  select * from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::bigint[], $7::text[], $8::uuid[], $9::text[],
                       $10::uuid[], $11::text[], $12::text[], $13::text[], $21::text[])
    as item (id, ontology, payload, acl, ord, search, log_id, hash, event_id, before_data, after_key, policy, acl_block)),
record as (
  insert into meta_envelope (owner, id, ontology, payload, acl, acl_block, acl_key, version, credential, ord, search, guest)
  select $1, id, ontology, payload,
         case when acl is not null then array(select json_array_elements_text(acl::json)) end, acl_block,
         encode(sha256(convert_to(acl_block, 'UTF8')), 'hex'), 1, $14, ord, search, $22::boolean
    from item
  on conflict (owner, id) do nothing
  returning id, ontology, acl_block),
reader as (
  insert into reader_level (owner, min_reader)
  select $1, ${READER_LEVEL} where exists (select 1 from record where acl_block is not null) on conflict do nothing),
written as (select item.* from item join record using (id)),
change_row as (
  insert into change (owner, record_id, version, log_id, operation, suppressed, ontology, payload, envelope_hash, platform,
                      author, subject, credential, at)
  select $1, id, 1, log_id, 'create', $23::boolean, ontology, payload, decode(hash, 'hex'), $15, $16, $17, $14, $18::timestamptz
    from written),
lane as (
  insert into outbox_lane (owner, stream_id, tail_version, done_version, next_at)
  select $1, id, 1, 0, $18::timestamptz from written where not $23),
event as (
  insert into change_event (owner, stream_id, stream_version, event_id, body, requesting_platform, policy, occurred_at,
                            traceparent)
  select $1, id, 1, event_id,
         before_data || payload || $19
             || coalesce((select '"' || k.public_key || '"' from owner_key k
                           where k.owner = $1 and k.removed_at is null order by k.added_at limit 1), 'null')
             || after_key,
         $15, policy, $18::timestamptz, $24
    from written where not $23),
counted as (
  insert into record_count (owner, ontology, slot, n, guest_n, bytes, guest_bytes)
  select $1, ontology, ${counterSlot("$20::int")}, count(*) filter (where acl_block is null), count(*) filter (where $22),
         coalesce(sum(bytes) filter (where not $22), 0), coalesce(sum(bytes) filter (where $22), 0)
    from (select ontology, acl_block, octet_length(payload) + ${VERSION_BYTES} as bytes from written) as version
   group by ontology order by ontology
  ${ADD_TO_COUNT})`;

// The values of optional parts come last.
const FIRST_FURTHER_VALUE = 25;

function insertSpentToken([token, expiresAt]: readonly string[]): string {
  return `,
spent as (
  insert into spent_token (owner, token, expires_at)
  select $1, ${token}, ${expiresAt}::timestamptz where exists (select 1 from record))`;
}

function insertGroupStatements([statements]: readonly string[]): string {
  return `,
stated as (
  insert into group_statement (owner, record_id, version, ord, current, by_owner, statement, granted, denied)
  select $1, item.id, 1, item.ord, true, (said.value ->> 0)::boolean, said.value ->> 1,
         array(select json_array_elements_text(said.value -> 2)),
         case json_typeof(said.value -> 3) when 'array' then array(select json_array_elements_text(said.value -> 3)) end
    from json_each(${statements}::json) as said (id, value) join item using (id) join record using (id))`;
}

/**
 * Commits several creations of one owner in one statement: each whose id is free, with its version, log entry, counter,
 * lane and event; the others are skipped.
 *
 * In: at least one creation, all of the same owner, writer and time, with different ids. Out: the ids written, or
 * `token-spent` and nothing written. Source: S1 "bulkCreateMetaEnvelopes"; decisions V5, V8.
 */
export async function commitBulk(
  database: Queryable,
  { creations, suppressed, tokenUse, traceparent }: BulkToCommit,
): Promise<ReadonlySet<string> | "token-spent"> {
  const spends = tokenUse !== undefined && !tokenUse.spent;
  const values = [...columns(creations), ...commonValues(creations[0] as Creation)];
  values.push(
    creations.map(({ change }) => change.after.aclBlock),
    creations[0]?.change.byGuest,
    suppressed,
    traceparent,
  );
  const statement = withFurther(values, { spent: spends ? tokenUse : undefined, said: groupStatements(creations) });
  try {
    const { rows } = await database.query<{ id: string }>(statement);
    if (spends && rows.length > 0) tokenUse.spent = true;
    return new Set(rows.map((row) => row.id));
  } catch (error) {
    if (isTokenSpent(error)) return "token-spent";
    throw error;
  }
}

interface Further {
  readonly spent: TokenUse | undefined;
  readonly said: string | undefined;
}

function withFurther(values: unknown[], { spent, said }: Further): Statement {
  let next = FIRST_FURTHER_VALUE;
  const parameters = (count: number) => Array.from({ length: count }, () => `$${next++}`);
  const parts = [TEXT];
  if (spent !== undefined) {
    values.push(spent.token, spent.expiresAt);
    parts.push(insertSpentToken(parameters(2)));
  }
  if (said !== undefined) {
    values.push(said);
    parts.push(insertGroupStatements(parameters(1)));
  }
  const name = `bulk${spent === undefined ? "" : ":spends"}${said === undefined ? "" : ":says"}`;
  return { name, text: `${parts.join("")}\nselect id from record`, values };
}

function groupStatements(creations: readonly Creation[]): string | undefined {
  const said = creations.flatMap(({ change, groupStatement }) =>
    groupStatement === undefined ? [] : [[change.after.id, groupStatementValues(groupStatement)]],
  );
  return said.length === 0 ? undefined : JSON.stringify(Object.fromEntries(said));
}

function columns(creations: readonly Creation[]): unknown[] {
  const bodies = creations.map(({ change }) => changeEventBody(change));
  const column = <Value>(read: (creation: Creation) => Value) => creations.map(read);
  return [
    creations[0]?.change.owner,
    column(({ change }) => change.after.id),
    column(({ change }) => change.after.ontology),
    column(({ change }) => change.after.payloadText),
    column(({ change: { owner, after } }) => (isOwnerAlone(owner, after.acl) ? null : JSON.stringify(after.acl))),
    column(({ change }) => change.after.ord),
    column(({ payload }) => payloadToSearchText(payload)),
    column(({ change }) => change.logId),
    column(({ change }) => change.envelopeHash),
    column(({ change }) => change.eventId),
    bodies.map((body) => body.beforeData),
    bodies.map((body) => body.afterKey),
    column(({ change }) => policyText(change.after)),
  ];
}

function commonValues({ change }: Creation): readonly unknown[] {
  const { writer, at } = change;
  const { beforeKey } = changeEventBody(change);
  return [writer.credential, writer.platform, writer.author, writer.subject, at, beforeKey, chooseCounterSlot()];
}
