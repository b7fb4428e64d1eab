import { deleteExpired } from "@dataspace/service-kit/postgres/delete-expired";
import type { EName } from "@dataspace/protocol/ename";
import type { CertificationLevel } from "@dataspace/protocol/owner-policy";
import type { Queryable } from "@dataspace/service-kit/postgres/database";

/** A platform's access to one domain of an owner on one day (UTC), the certificate that it had, and its last deployment. */
export interface PlatformAccess {
  readonly id: string;
  readonly platform: EName;
  readonly deployment: EName;
  readonly version: string;
  readonly level: CertificationLevel;
  readonly issuer: string;
  readonly certificateId: string;
  readonly domain: string;
  readonly action: "read" | "write";
  readonly firstAt: Date;
  readonly lastAt: Date;
}

/** An access to note: `ids` are one for each domain, `at` and `expiresAt` are ISO 8601. */
export interface AccessToNote extends Omit<PlatformAccess, "id" | "domain" | "firstAt" | "lastAt"> {
  readonly owner: EName;
  readonly ids: readonly string[];
  readonly domains: readonly string[];
  readonly at: string;
  readonly expiresAt: string;
}

/** Notes an access: a new row on the first of a day, and when the last was. */
export async function notePlatformAccess(database: Queryable, noted: AccessToNote): Promise<void> {
  const { owner, ids, domains, platform, deployment, version, level, issuer, certificateId, action } = noted;
  await database.query({
    name: "platform-access:note",
    text: `insert into platform_access (owner, id, day, platform, deployment, version, level, issuer, certificate_id, domain, action,
                             first_at, last_at, expires_at)
  select $1, given.id, ($11::timestamptz at time zone 'UTC')::date, $4, $5, $6, $7, $8, $9, given.domain, $10,
         $11::timestamptz, $11::timestamptz, $12::timestamptz
    from unnest($2::uuid[], $3::text[]) as given (id, domain) order by given.domain
  on conflict (owner, day, issuer, certificate_id, domain, action) do update
     set last_at = greatest(platform_access.last_at, excluded.last_at), deployment = excluded.deployment`,
    values: [
      ...[owner, ids, domains, platform, deployment, version, level, issuer, certificateId, action],
      noted.at,
      noted.expiresAt,
    ],
  });
}

/** Lists an owner's rows, the newest first: those below an id (undefined: from the newest), at most so many. */
export async function listPlatformAccess(
  database: Queryable,
  owner: EName,
  { below, rowLimit }: { readonly below: string | undefined; readonly rowLimit: number },
): Promise<readonly PlatformAccess[]> {
  const { rows } = await database.query<PlatformAccess>({
    name: `platform-access${below === undefined ? "" : ":below"}`,
    text: `select id, platform, deployment, version, level, issuer, certificate_id as "certificateId", domain, action,
         first_at as "firstAt", last_at as "lastAt"
    from platform_access where owner = $1${below === undefined ? "" : " and id < $3::uuid"} order by id desc limit $2::int`,
    values: below === undefined ? [owner, rowLimit] : [owner, rowLimit, below],
  });
  return rows;
}

/** Deletes rows that expired before a time (ISO 8601), at most so many. Out: how many. */
export function deleteOldAccess(database: Queryable, before: string, atMost: number): Promise<number> {
  return deleteExpired(database, { table: "platform_access", before, atMost });
}
