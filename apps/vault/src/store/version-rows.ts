import type { EName } from "@dataspace/protocol/ename";
import type { Queryable } from "@dataspace/service-kit/database";
import type { VersionOperation } from "../meta-envelopes/change.ts";

/** A version as it was written. `payloadText` is null for a removal. */
export interface VersionRow {
  readonly metaEnvelopeId: string;
  readonly version: number;
  readonly operation: VersionOperation;
  readonly ontology: string;
  readonly payloadText: string | null;
  readonly requestingPlatform: string | null;
  readonly author: string | null;
  readonly restoredFromVersion: number | null;
  readonly createdAt: Date;
}

const NEWEST_FIRST = `select record_id as "metaEnvelopeId", version, operation, ontology, payload as "payloadText",
    platform as "requestingPlatform", author, restored_from as "restoredFromVersion", at as "createdAt"
  from change where owner = $1 and record_id = $2 and version < $3 order by version desc limit $4::int`;

const ABOVE_ALL = 2_147_483_647;

/** Reads versions of a MetaEnvelope, newest first, below a version number (undefined: from the newest). */
export async function listVersions(
  database: Queryable,
  of: { readonly owner: EName; readonly id: string },
  page: { readonly below: number | undefined; readonly rowLimit: number },
): Promise<readonly VersionRow[]> {
  const found = await database.query<VersionRow>({
    name: "versions",
    text: NEWEST_FIRST,
    values: [of.owner, of.id, page.below ?? ABOVE_ALL, page.rowLimit],
  });
  return found.rows;
}
