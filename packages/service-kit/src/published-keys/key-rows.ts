import type { Database, Queryable } from "../postgres/database.ts";
import { StartupError } from "../startup-error.ts";

/** The public part of a key, as the key set shows it. */
export interface PublishedJwk {
  readonly kty: "EC";
  readonly crv: "P-256";
  readonly x: string;
  readonly y: string;
  readonly kid: string;
  readonly alg: "ES256";
  readonly use: "sig";
}

/** The time of retirement of a withdrawn key: so long ago that nothing it signed can be valid. */
export const WITHDRAWN_AT_MS = 0;

/** A key that signs or once signed here; `retiredAtMs` is null while it signs, and 0 once it is withdrawn. */
export interface RememberedKey {
  readonly jwk: PublishedJwk;
  readonly retiredAtMs: number | null;
}

/** The table of a service's keys (`kid`, `public_jwk`, `first_signed_at_ms`, `retired_at_ms`), and the setting that holds them. */
export interface KeyPlace {
  readonly table: "registry_key" | "authority_key";
  readonly setting: string;
}

/**
 * Records that `signing` signs from now on and that every other key no longer does.
 *
 * Out: every key ever recorded, with the public part under which its kid was first recorded.
 * Refuses: throws a StartupError when the kid of `signing` belonged to another key before, and when that key is
 * withdrawn; nothing is recorded then.
 * Source: decision X2.
 */
export async function rememberSigningKey(
  { database, nowMs }: { readonly database: Database; readonly nowMs: number },
  place: KeyPlace,
  signing: PublishedJwk,
): Promise<readonly RememberedKey[]> {
  return database.transaction(async (transaction) => {
    await noteSigning(transaction, place, { signing, nowMs });
    await transaction.query({
      text: `update ${place.table} set retired_at_ms = $2 where kid <> $1 and retired_at_ms is null`,
      values: [signing.kid, nowMs],
    });
    const { rows } = await transaction.query<RememberedKey>({
      text: `select public_jwk as jwk, retired_at_ms as "retiredAtMs" from ${place.table}`,
      values: [],
    });
    return rows;
  });
}

async function noteSigning(
  transaction: Queryable,
  { table, setting }: KeyPlace,
  { signing, nowMs }: { readonly signing: PublishedJwk; readonly nowMs: number },
): Promise<void> {
  const { rowCount } = await transaction.query({
    text: `insert into ${table} (kid, public_jwk, first_signed_at_ms) values ($1, $2, $3)
           on conflict (kid) do update set retired_at_ms = null
             where ${table}.public_jwk = excluded.public_jwk and ${table}.retired_at_ms is distinct from $4`,
    values: [signing.kid, JSON.stringify(signing), nowMs, WITHDRAWN_AT_MS],
  });
  if (rowCount === 0) {
    throw new StartupError(
      `${setting} has the kid ${signing.kid}, which named another key before or is withdrawn. Make another key: dataspace keys create ${setting}`,
    );
  }
}
