import type { EName } from "@dataspace/protocol/ename";
import type { Queryable } from "@dataspace/service-kit/postgres/database";
import type { Version } from "../meta-envelopes/version.ts";
import { type BoundedRows, queryWithin } from "./bounded-rows.ts";

const COLUMNS = `select record_id as "metaEnvelopeId", version, operation, ontology, payload as "payloadText",
    platform as "requestingPlatform", author, restored_from as "restoredFromVersion", at as "createdAt"
  from change where owner = $1 and record_id = $2`;
const NEWEST_FIRST = `${COLUMNS} and version < $3::bigint order by version desc limit $4::int`;
const SIZED = { order: "version desc", rowBytes: `coalesce(octet_length("payloadText"), 0)` };

// The parameter is a bigint, so a number above every value of the integer column is an ordinary bound.
const ABOVE_ALL = 2 ** 31;

/** Which versions of a MetaEnvelope: below a number (undefined: from the newest), so many, of so many bytes at most. */
export interface VersionStretch {
  readonly below: number | undefined;
  readonly rowLimit: number;
  readonly mostBytes: number;
}

/** Reads versions of a MetaEnvelope, newest first; their rows are loaded only where they are within the limit of bytes. */
export function listVersions(
  database: Queryable,
  record: { readonly owner: EName; readonly id: string },
  { below, rowLimit, mostBytes }: VersionStretch,
): Promise<BoundedRows<Version>> {
  const values = [record.owner, record.id, below ?? ABOVE_ALL, rowLimit];
  return queryWithin(database, { name: "versions", text: NEWEST_FIRST, values, ...SIZED }, mostBytes);
}

/** Finds one version of a MetaEnvelope; none where there is no such version. */
export async function findVersion(
  database: Queryable,
  record: { readonly owner: EName; readonly id: string },
  version: number,
): Promise<Version | undefined> {
  const { rows } = await database.query<Version>({
    name: "version",
    text: `${COLUMNS} and version = $3::bigint`,
    values: [record.owner, record.id, version],
  });
  return rows[0];
}
