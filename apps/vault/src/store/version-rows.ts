import type { EName } from "@dataspace/protocol/ename";
import type { Queryable } from "@dataspace/service-kit/postgres/database";
import type { Version } from "../meta-envelopes/version.ts";

const NEWEST_FIRST = `select record_id as "metaEnvelopeId", version, operation, ontology, payload as "payloadText",
    platform as "requestingPlatform", author, restored_from as "restoredFromVersion", at as "createdAt"
  from change where owner = $1 and record_id = $2 and version < $3 order by version desc limit $4::int`;

const ABOVE_ALL = 2_147_483_647;

/** Reads versions of a MetaEnvelope, newest first, below a version number (undefined: from the newest). */
export async function listVersions(
  database: Queryable,
  of: { readonly owner: EName; readonly id: string },
  page: { readonly below: number | undefined; readonly rowLimit: number },
): Promise<readonly Version[]> {
  const found = await database.query<Version>({
    name: "versions",
    text: NEWEST_FIRST,
    values: [of.owner, of.id, page.below ?? ABOVE_ALL, page.rowLimit],
  });
  return found.rows;
}
