import { BINDING_DOCUMENT_ONTOLOGY } from "@dataspace/protocol/ontology-id";
import type { EName } from "@dataspace/protocol/ename";
import type { Queryable } from "@dataspace/service-kit/postgres/database";

const REMOVED = `select payload as "payloadText" from meta_envelope
 where owner = $1 and removed and ontology = '${BINDING_DOCUMENT_ONTOLOGY}'
   and md5(((payload::jsonb) -> 'data')::text) = md5(($2::jsonb)::text)`;

/** Lists the payloads of an owner's removed binding documents whose `data` is equal to a JSON text. Source: decision V14. */
export async function listRemovedBindingDocuments(
  database: Queryable,
  owner: EName,
  dataText: string,
): Promise<readonly string[]> {
  const found = await database.query<{ payloadText: string }>({
    name: "removed-bindings",
    text: REMOVED,
    values: [owner, dataText],
  });
  return found.rows.map(({ payloadText }) => payloadText);
}
