import type { EName } from "@dataspace/protocol/ename";
import type { Queryable } from "@dataspace/service-kit/database";
import type { StoredMetaEnvelope } from "../meta-envelopes/stored-meta-envelope.ts";

/** The columns of a stored MetaEnvelope, named as its members. */
const META_ENVELOPE_COLUMNS = `id, ontology, payload as "payloadText", acl, acl_block as "aclBlock", version, removed,
  quarantined, ord`;

const FIND = `select ${META_ENVELOPE_COLUMNS} from meta_envelope where owner = $1 and id = $2`;
const FIND_LOCKED = `${FIND} for update`;

/** Finds a MetaEnvelope by its id, active or removed, by primary key alone. */
export async function findMetaEnvelope(
  database: Queryable,
  owner: EName,
  id: string,
): Promise<StoredMetaEnvelope | undefined> {
  const found = await database.query<StoredMetaEnvelope>({ name: "meta-envelope", text: FIND, values: [owner, id] });
  return found.rows[0];
}

/** Finds a MetaEnvelope and holds its row until the transaction ends, so that nobody else changes it meanwhile. */
export async function lockMetaEnvelope(
  transaction: Queryable,
  owner: EName,
  id: string,
): Promise<StoredMetaEnvelope | undefined> {
  const found = await transaction.query<StoredMetaEnvelope>({
    name: "meta-envelope:locked",
    text: FIND_LOCKED,
    values: [owner, id],
  });
  return found.rows[0];
}
