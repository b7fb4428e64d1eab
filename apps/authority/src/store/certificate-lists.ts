import type { EName } from "@dataspace/protocol/ename";
import type { Queryable } from "@dataspace/service-kit/postgres/database";
import type { StoredCertificate } from "./certificate-rows.ts";

/** A certificate as reviewers see it. `revoked` says when, by whom and why; times are ISO 8601. */
export interface ListedCertificate extends StoredCertificate {
  readonly revoked: { readonly at: string; readonly by: EName; readonly reason: string } | null;
}

const SELECT = `select jti, idx, submission_id as "submissionId", platform, version, jws, expires_at, revoked_at, revoked_by, reason
                  from certificate`;

/** Lists certificates, the newest first, from behind a place on. */
export async function listCertificates(
  database: Queryable,
  { before, limit }: { readonly before: number | undefined; readonly limit: number },
): Promise<readonly ListedCertificate[]> {
  const text = `${SELECT} where ($1::int is null or idx < $1::int) order by idx desc limit $2`;
  const { rows } = await database.query<Row>({ name: "certificates:list", text, values: [before ?? null, limit] });
  return rows.map(toListed);
}

/** Finds a certificate by its `jti`, with its revocation. */
export async function findListedCertificate(database: Queryable, jti: string): Promise<ListedCertificate | undefined> {
  const text = `${SELECT} where jti = $1::uuid`;
  return (await database.query<Row>({ name: "certificates:one", text, values: [jti] })).rows.map(toListed)[0];
}

interface Row extends Omit<StoredCertificate, "expiresAt"> {
  readonly expires_at: Date;
  readonly revoked_at: Date | null;
  readonly revoked_by: EName;
  readonly reason: string;
}

function toListed({ expires_at, revoked_at, revoked_by, reason, ...row }: Row): ListedCertificate {
  return {
    ...row,
    expiresAt: expires_at.toISOString(),
    revoked: revoked_at && { at: revoked_at.toISOString(), by: revoked_by, reason },
  };
}
