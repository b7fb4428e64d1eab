import type { EName } from "@dataspace/protocol/ename";
import type { Queryable, Statement } from "@dataspace/service-kit/postgres/database";
import type { StoredMetaEnvelope } from "../meta-envelopes/stored-meta-envelope.ts";
import { fillInArrays, type WithArrayColumn } from "./array-column.ts";

/** The columns of a stored MetaEnvelope, named as its members; `acl` is null where it is the owner alone. */
const META_ENVELOPE_COLUMNS = `id, ontology, payload as "payloadText", acl, acl_block as "aclBlock", version, removed,
  quarantined, opened_by as "openedBy", guest, ord`;

const FIND = `select ${META_ENVELOPE_COLUMNS} from meta_envelope where owner = $1 and id = $2`;
const FIND_LOCKED = `${FIND} for update`;

/** Finds a MetaEnvelope by its id, active or removed, by primary key. */
export async function findMetaEnvelope(
  database: Queryable,
  owner: EName,
  id: string,
): Promise<StoredMetaEnvelope | undefined> {
  return findOne(database, { name: "meta-envelope", text: FIND, values: [owner, id] }, owner);
}

const FIND_MANY = `select ${META_ENVELOPE_COLUMNS} from meta_envelope where owner = $1 and id = any($2::text[])`;

/** Finds several MetaEnvelopes of an owner by their ids; for a single one it uses the cheaper plan. */
export async function findMetaEnvelopes(
  database: Queryable,
  owner: EName,
  ids: readonly string[],
): Promise<ReadonlyMap<string, StoredMetaEnvelope>> {
  const [first, ...others] = ids;
  const statement =
    others.length === 0
      ? { name: "meta-envelope", text: FIND, values: [owner, first] }
      : { name: "meta-envelopes", text: FIND_MANY, values: [owner, ids] };
  const { rows } = await database.query<WithArrayColumn<StoredMetaEnvelope>>(statement);
  return new Map(fillInArrays<StoredMetaEnvelope>(rows, owner).map((row) => [row.id, row]));
}

/** Finds a MetaEnvelope and locks its row until the transaction ends. */
export async function lockMetaEnvelope(
  transaction: Queryable,
  owner: EName,
  id: string,
): Promise<StoredMetaEnvelope | undefined> {
  return findOne(transaction, { name: "meta-envelope:locked", text: FIND_LOCKED, values: [owner, id] }, owner);
}

async function findOne(
  database: Queryable,
  statement: Statement,
  owner: EName,
): Promise<StoredMetaEnvelope | undefined> {
  const { rows } = await database.query<WithArrayColumn<StoredMetaEnvelope>>(statement);
  return fillInArrays<StoredMetaEnvelope>(rows, owner)[0];
}
