import type { EName } from "@dataspace/protocol/ename";
import type { Queryable } from "@dataspace/service-kit/postgres/database";
import type { Version } from "../meta-envelopes/version.ts";
import { type BoundedRows, queryWithin } from "./bounded-rows.ts";

const COLUMNS = `select record_id as "metaEnvelopeId", version, operation, ontology, payload as "payloadText",
    platform as "requestingPlatform", author, restored_from as "restoredFromVersion", at as "createdAt"
  from change where owner = $1 and record_id = $2`;
const NEWEST_FIRST = `${COLUMNS} and version < $3::bigint order by version desc limit $4::int`;
const NEWEST_FIRST_GATED = `${COLUMNS} and version < $3::bigint and ontology = any ($5::text[])
  order by version desc limit $4::int`;
const SIZED = { order: "version desc", rowBytes: `coalesce(octet_length("payloadText"), 0)` };

// The parameter is a bigint, so a number above every value of the integer column is an ordinary limit.
const ABOVE_ALL = 2 ** 31;

/** Which versions of a MetaEnvelope: below a number (undefined: from the newest), so many, of so many bytes at most. */
export interface VersionStretch {
  readonly below: number | undefined;
  readonly rowLimit: number;
  readonly mostBytes: number;
}

/** Whose versions are read: those of a MetaEnvelope, limited to some ontologies where there are any. */
export interface VersionsOf {
  readonly owner: EName;
  readonly id: string;
  readonly ontologies: readonly string[] | undefined;
}

/** Reads versions of a MetaEnvelope, newest first; their rows are loaded only where they are within the byte limit. */
export function listVersions(
  database: Queryable,
  { owner, id, ontologies }: VersionsOf,
  { below, rowLimit, mostBytes }: VersionStretch,
): Promise<BoundedRows<Version>> {
  const values: unknown[] = [owner, id, below ?? ABOVE_ALL, rowLimit];
  const statement =
    ontologies === undefined
      ? { name: "versions", text: NEWEST_FIRST, values }
      : { name: "versions:gated", text: NEWEST_FIRST_GATED, values: [...values, ontologies] };
  return queryWithin(database, { ...statement, ...SIZED }, mostBytes);
}

/** Counts the versions of a MetaEnvelope with some ontologies. */
export async function countVersions(
  database: Queryable,
  { owner, id, ontologies }: VersionsOf & { readonly ontologies: readonly string[] },
): Promise<number> {
  const { rows } = await database.query<{ n: number }>({
    name: "versions:count",
    text: `select count(*)::int as n from change where owner = $1 and record_id = $2 and ontology = any ($3::text[])`,
    values: [owner, id, ontologies],
  });
  return rows[0]?.n ?? 0;
}

/** Finds one version of a MetaEnvelope; undefined where it does not exist. */
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
