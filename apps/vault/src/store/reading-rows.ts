import type { ReadingRow } from "@dataspace/access/facts/signed-readings";
import type { EName } from "@dataspace/protocol/ename";
import type { Queryable } from "@dataspace/service-kit/postgres/database";

/** A larger record is not a reading, so the 64 that a list may need are 4 MiB together. */
const MAX_BYTES = 65_536;

const READINGS = `select wanted.ontology, newest.payload as "payloadText" from unnest($2::text[]) as wanted (ontology)
  cross join lateral (
    select m.payload from meta_envelope m
     where m.owner = $1 and m.ontology in (wanted.ontology, substr(wanted.ontology, 2)) and not m.removed and not m.quarantined
       and octet_length(m.payload) <= ${MAX_BYTES}
       and m.payload::json -> 'statement' is not null and m.payload::json -> 'signature' is not null
       and m.payload::json -> 'signer' is not null
     order by m.ord desc limit 1) as newest
 where not exists (select from vault v where v.owner = $1 and v.state in ('importing', 'moved'))`;

/**
 * Finds the newest readings in a subject's vault, by ontology, which is written with and without its @. Source:
 * decision V24.
 */
export async function findReadings(
  database: Queryable,
  subject: EName,
  ontologies: readonly EName[],
): Promise<readonly ReadingRow[]> {
  const found = await database.query<ReadingRow>({ name: "readings", text: READINGS, values: [subject, ontologies] });
  return found.rows;
}
