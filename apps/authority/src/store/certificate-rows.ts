import type { EName } from "@dataspace/protocol/ename";
import type { Queryable } from "@dataspace/service-kit/postgres/database";

/** A certificate as it is stored; `idx` is its place in the status lists. Times are ISO 8601. */
export interface StoredCertificate {
  readonly jti: string;
  readonly idx: number;
  readonly submissionId: string;
  readonly platform: EName;
  readonly version: string;
  readonly jws: string;
  readonly expiresAt: string;
}

/** Gives the place of the next certificate in the status lists. The caller holds the lock of the log. */
export async function nextCertificateIdx(transaction: Queryable): Promise<number> {
  const { rows } = await transaction.query<{ idx: number }>({
    name: "certificate:next",
    text: "select coalesce(max(idx) + 1, 0)::int as idx from certificate",
    values: [],
  });
  return rows[0]?.idx ?? 0;
}

/** Stores a certificate. */
export async function insertCertificate(transaction: Queryable, certificate: StoredCertificate): Promise<void> {
  const { jti, idx, submissionId, platform, version, jws, expiresAt } = certificate;
  await transaction.query({
    name: "certificate:insert",
    text: `insert into certificate (jti, idx, submission_id, platform, version, jws, expires_at)
           values ($1::uuid, $2, $3::uuid, $4, $5, $6, $7::timestamptz)`,
    values: [jti, idx, submissionId, platform, version, jws, expiresAt],
  });
}

/** Finds a certificate's text by its `jti`. */
export async function findCertificate(database: Queryable, jti: string): Promise<string | undefined> {
  const text = "select jws from certificate where jti = $1::uuid";
  return (await database.query<{ jws: string }>({ name: "certificate", text, values: [jti] })).rows[0]?.jws;
}

/** Finds the newest certificate of a release, unless it is revoked or has expired. `at` is ISO 8601. */
export async function findCertificateOfRelease(
  database: Queryable,
  { platform, version, at }: { readonly platform: EName; readonly version: string; readonly at: string },
): Promise<string | undefined> {
  const text = `select jws from (select * from certificate where platform = $1 and version = $2 order by idx desc limit 1) newest
                 where revoked_at is null and expires_at > $3::timestamptz`;
  const { rows } = await database.query<{ jws: string }>({
    name: "certificate:release",
    text,
    values: [platform, version, at],
  });
  return rows[0]?.jws;
}

/** A revocation, by whom and why. The time is ISO 8601. */
export interface Revocation {
  readonly jti: string;
  readonly revokedAt: string;
  readonly revokedBy: EName;
  readonly reason: string;
}

/** Revokes a certificate. Out: `revoked`, or why nothing changed. */
export async function revokeCertificate(
  transaction: Queryable,
  { jti, revokedAt, revokedBy, reason }: Revocation,
): Promise<"revoked" | "REVOKED" | "UNKNOWN_CERTIFICATE"> {
  const { rowCount } = await transaction.query({
    name: "certificate:revoke",
    text: `update certificate set revoked_at = $2::timestamptz, revoked_by = $3, reason = $4
            where jti = $1::uuid and revoked_at is null`,
    values: [jti, revokedAt, revokedBy, reason],
  });
  if (rowCount === 1) return "revoked";
  return (await findCertificate(transaction, jti)) === undefined ? "UNKNOWN_CERTIFICATE" : "REVOKED";
}

/** How many certificates one status list has room for. */
export const LIST_SIZE = 131_072;

/** Lists the places of the revoked certificates in one status list; undefined where no certificate is in that list. */
export async function listRevoked(database: Queryable, list: number): Promise<readonly number[] | undefined> {
  const first = list * LIST_SIZE;
  const { rows } = await database.query<{ place: number | null }>({
    name: "certificate:revoked",
    text: `select c.idx - $1::int as place from (select from certificate where idx >= $1::int limit 1) as any_of_list
             left join certificate c on c.idx >= $1::int and c.idx < $2::int and c.revoked_at is not null`,
    values: [first, first + LIST_SIZE],
  });
  if (rows.length === 0 && list > 0) return undefined;
  return rows.flatMap(({ place }) => place ?? []);
}
