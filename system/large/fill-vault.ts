import { type EName, parseEName } from "@dataspace/protocol/ename";
import { createProvisionedVault } from "@dataspace/vault/provisioning";
import type { Database } from "@dataspace/service-kit/postgres/database";

/** The owner of the records. */
export const LARGE_OWNER: EName = parseEName("@99999999-9999-4999-8999-999999999999");

const AT_ONCE = 100_000;
const SEPARATOR = "chr(31)";
const PAYLOAD = `'{"n":' || n || ',"text":"' || repeat(md5(n::text), 3) || '"}'`;
/** What `envelopeHashText` writes for a creation. */
const HASHED = `'{"id":"' || id || '","ontology":"note","payload":' || payload || '}'`;
const FILL = `with made as materialized (
  select n, 'r-' || lpad(n::text, 9, '0') as id, ${PAYLOAD} as payload from generate_series($2::int, $3::int) as n),
record as (
  insert into meta_envelope (owner, id, ontology, payload, version, credential, ord, search)
  select $1, id, 'note', payload, 1, 'wallet', n, ${SEPARATOR} || n || ${SEPARATOR} from made)
insert into change (owner, record_id, version, log_id, operation, suppressed, ontology, payload, envelope_hash, credential, at)
select $1, id, 1, ('01900000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'create', true, 'note', payload,
       sha256(convert_to(${HASHED}, 'UTF8')), 'wallet', timestamptz '2026-11-01 12:00:00Z' + n * interval '1 millisecond'
  from made`;

/**
 * Creates one vault with a number of records, each with its version, as the vault writes them, but by one statement for
 * 100,000 of them. The tables exist. Refuses: the database's errors.
 */
export async function fillVault(database: Database, records: number): Promise<void> {
  const vault = { owner: LARGE_OWNER, vaultId: LARGE_OWNER, nowMs: Date.UTC(2026, 10, 1) };
  await database.transaction((transaction) => createProvisionedVault(transaction, vault));
  for (let from = 1; from <= records; from += AT_ONCE) {
    const to = Math.min(records, from + AT_ONCE - 1);
    await database.query({ text: FILL, values: [LARGE_OWNER, from, to] });
  }
  await database.query({ text: "analyze meta_envelope, change", values: [] });
}
