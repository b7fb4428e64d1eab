import type { EName } from "@dataspace/protocol/ename";
import type { Database } from "@dataspace/service-kit/postgres/database";
import { one } from "./bench-server.ts";
import type { BenchVault } from "./bench-vault.ts";
import { createRequest } from "./graphql-requests.ts";
import { SAMPLE_ONTOLOGIES, SAMPLE_TEXT_WORDS, SAMPLE_WORDS } from "./sample-records.ts";

/** A term that four of the loaded MetaEnvelopes of an owner hold, one that none does, and one that each holds. */
export const SEARCH_TERMS = { selective: "xylophone", absent: "quetzalcoatl", common: "person" } as const;

const SELECTIVE_HITS = 4;
const CHUNK = 100_000;
const OWNER_ALONE: LoadedAccess = { acl: null, aclBlock: null };

/** What differs between two writes of one payload: ids, times, places in the order, and what is derived from the id. */
const OWN_COLUMNS = ["id", "record_id", "log_id", "envelope_hash", "ord", "at"];

/** Under what a MetaEnvelope is loaded: an eName that its legacy array names, or a policy's text as the vault stores it. */
export interface LoadedAccess {
  readonly acl: EName | null;
  readonly aclBlock: string | null;
}

/** What is loaded. Without `accessOf`, which gives the access of each from 1 to `count`, all are the owner's alone. */
export interface RecordsToLoad {
  readonly owner: EName;
  readonly count: number;
  readonly accessOf?: (number: number) => LoadedAccess;
}

/**
 * Loads MetaEnvelopes of one owner inside the database. It fills the tables and columns that a create fills, with their
 * events drained. Then it checks through the API that a create of the same payload leaves the same rows.
 *
 * Refuses: an Error when a loaded row differs from a created one in any column but ids, times and hash.
 */
export async function loadRecords(
  { database, vault }: { readonly database: Database; readonly vault: BenchVault },
  { owner, count, accessOf = () => OWNER_ALONE }: RecordsToLoad,
): Promise<void> {
  for (let from = 1; from <= count; from += CHUNK) {
    const to = Math.min(count, from + CHUNK - 1);
    const access = Array.from({ length: to - from + 1 }, (_, index) => accessOf(from + index));
    const columns = [access.map(({ acl }) => acl), access.map(({ aclBlock }) => aclBlock)];
    const every = Math.floor(count / SELECTIVE_HITS);
    await database.query({
      text: LOAD,
      values: [owner, from, to, SAMPLE_WORDS, SAMPLE_ONTOLOGIES, every, SAMPLE_TEXT_WORDS, ...columns],
    });
  }
  await database.query({ text: COUNT, values: [owner] });
  await database.query({ text: "analyze", values: [] });
  await assertLikeCreated({ database, vault }, owner);
  await database.query({ text: "vacuum analyze", values: [] });
}

const LOAD = `with n as (
  select i, (extract(epoch from now()) * 1000)::bigint - 10000000 + i as ms,
         md5($1 || i) as noise, ($5::text[])[1 + i % 2] as ontology, named, acl_block
    from generate_series($2::bigint, $3::bigint) with ordinality as number (i, place)
    join unnest($8::text[], $9::text[]) with ordinality as access (named, acl_block, place) using (place)),
named as (
  select n.*, substr(lpad(to_hex(ms), 12, '0'), 1, 8) || '-' || substr(lpad(to_hex(ms), 12, '0'), 9) || '-7' as time_part,
         substr(noise, 1, 3) || '-8' || substr(noise, 4, 3) || '-' as noise_part,
         ($4::text[])[1 + i % 32] || ' ' || ($4::text[])[1 + (i / 32) % 32]
           || case when i % $6::bigint = 0 then ' Xylophone ' else ' ' end || i as title,
         (select string_agg(($4::text[])[1 + (i * 7 + place * (1 + i % 5)) % 32], ' ') from generate_series(1, $7::int) as place) as words,
         'Person ' || i % 97 as author, (i % 1000)::text as likes, case when i % 3 = 0 then 'true' else 'false' end as public
    from n),
whole as (
  select *, time_part || noise_part || substr(noise, 7, 12) as id, time_part || noise_part || substr(noise, 19, 12) as log_id,
         '{"title":"' || title || '","text":"' || words || '","author":"' || author || '","likes":' || likes
           || ',"public":' || public || ',"publishedAt":"2026-03-14T09:26:53.589Z"}' as payload,
         chr(31) || lower(title) || chr(31) || words || chr(31) || lower(author) || chr(31) || likes || chr(31) || public
           || chr(31) || '2026-03-14t09:26:53.589z' || chr(31) as search
    from named),
record as (
  insert into meta_envelope (owner, id, ontology, payload, acl, acl_block, acl_key, version, removed, credential, ord, search)
  select $1, id, ontology, payload, case when named is not null then array[named] end, acl_block, encode(sha256(convert_to(acl_block, 'UTF8')), 'hex'), 1,
         false, 'asserted', ms * 1000, search from whole order by i),
reader as (
  insert into reader_level (owner, min_reader)
  select $1, 2 where exists (select 1 from whole where acl_block is not null) on conflict do nothing)
insert into change (owner, record_id, version, log_id, operation, log_operation, ontology, payload, envelope_hash,
                    platform, author, subject, credential, at)
select $1, id, 1, log_id::uuid, 'create', null, ontology, payload,
       sha256(convert_to('{"id":"' || id || '","ontology":"' || ontology || '","payload":' || payload || '}', 'UTF8')),
       null, null, null, 'asserted', to_timestamp(ms / 1000.0) from whole order by i`;

const COUNT = `insert into record_count (owner, ontology, slot, n)
select $1, ontology, slot, total / 16 + case when slot < total % 16 then 1 else 0 end
  from (select ontology, count(*) as total from meta_envelope where owner = $1 and acl_key is null group by ontology) as counted
       cross join generate_series(0, 15) as slot`;

async function assertLikeCreated(
  { database, vault }: { readonly database: Database; readonly vault: BenchVault },
  owner: EName,
) {
  const loaded = await one<{
    id: string;
    ontology: string;
    payload: string;
    acl: EName[];
    block: string;
    hash: string;
  }>(
    database,
    "select id, m.ontology, m.payload, m.acl, m.acl_block as block, c.envelope_hash as hash from meta_envelope m join change c on c.owner = m.owner and record_id = id where m.owner = $1 order by ord desc limit 1",
    [owner],
  );
  const { acl, block, ontology, payload } = loaded;
  const access = block === null ? { acl } : { _acl: JSON.parse(block) };
  const request = createRequest(owner, { ontology, payload: JSON.parse(payload), ...access });
  const { createMetaEnvelope } = await vault.ask<{ createMetaEnvelope: { metaEnvelope: { id: string } } }>(
    owner,
    request,
  );
  const createdId = createMetaEnvelope.metaEnvelope.id;
  for (const [table, key] of [
    ["meta_envelope", "id"],
    ["change", "record_id"],
  ] as const) {
    const { differing } = await one<{ differing: string | null }>(
      database,
      `select string_agg(l.key, ', ') as differing
         from (select to_jsonb(t) as row from ${table} t where owner = $1 and ${key} = $2) as a,
              (select to_jsonb(t) as row from ${table} t where owner = $1 and ${key} = $3) as b,
              jsonb_each(a.row) as l where not l.key = any($4) and l.value is distinct from b.row -> l.key`,
      [owner, loaded.id, createdId, OWN_COLUMNS],
    );
    if (differing !== null) throw new Error(`loaded rows of ${table} differ from created ones in: ${differing}`);
  }
}
