import { deleteExpired } from "@dataspace/service-kit/postgres/delete-expired";
import { createInTurn } from "@dataspace/service-kit/postgres/in-turn";
import type { HandshakeChallenge } from "@dataspace/protocol/handshake-challenge";
import type { Clock } from "@dataspace/service-kit/clock";
import type { Database } from "@dataspace/service-kit/postgres/database";

/** The challenges that are outstanding, in PostgreSQL: they hold across processes and restarts. */
export interface ChallengeStore {
  /** Issues a challenge, or gives undefined when as many are outstanding as may be for this audience, or for it and this source. */
  readonly issue: (about: {
    readonly audience: string;
    readonly source: string;
  }) => Promise<HandshakeChallenge | undefined>;
  /** Takes a challenge out, expired or not; of however many answers to one challenge, one gets it. */
  readonly redeem: (nonce: string) => Promise<HandshakeChallenge | undefined>;
  /** Deletes challenges that expired 10 minutes ago, at most 10,000. Out: how many. */
  readonly sweep: () => Promise<number>;
}

/** Which table, how long a challenge lives, and how many may be outstanding. */
export interface ChallengeStoreConfig {
  /** A table as the migration of the service makes it: nonce, audience, source, issued_at, expires_at. */
  readonly table: string;
  readonly lifetimeSeconds: number;
  readonly mostPerSource: number;
  readonly mostPerAudience: number;
}

interface ChallengeRow {
  readonly nonce: string;
  readonly audience: string;
  readonly issued_at: Date;
  readonly expires_at: Date;
}

const NONCE_BYTES = 32;
const LONGEST_NONCE = 128;
/** Tells these locks from others in the same database. */
const LOCK_KIND = 1_400_024;
/** A late answer is refused because its challenge expired. */
const GRACE_MS = 600_000;
const MOST_AT_ONCE = 10_000;

/**
 * Makes the store of challenges. Those of one audience are issued one after the other, so that the limits are exact.
 *
 * In: `randomBytes`, a cryptographic source. Refuses: the database's errors. Source: S3 "States and transitions"; decision A1.
 */
export function createChallengeStore(
  deps: { readonly database: Database; readonly clock: Clock; readonly randomBytes: (size: number) => Buffer },
  config: ChallengeStoreConfig,
): ChallengeStore {
  const { database, clock } = deps;
  const { table } = config;
  const inTurn = createInTurn();
  return {
    issue: ({ audience, source }) =>
      inTurn(audience, () =>
        database.transaction(async (transaction) => {
          const nonce = deps.randomBytes(NONCE_BYTES).toString("base64url");
          const issuedAt = new Date(clock.nowMs()).toISOString();
          const expiresAt = new Date(clock.nowMs() + config.lifetimeSeconds * 1000).toISOString();
          await transaction.query({
            name: `${table}:lock`,
            text: "select pg_advisory_xact_lock($1::int, hashtext($2))",
            values: [LOCK_KIND, audience],
          });
          const { rowCount } = await transaction.query({
            name: `${table}:issue`,
            text: insertWithin(table),
            values: [nonce, audience, source, issuedAt, expiresAt, config.mostPerAudience, config.mostPerSource],
          });
          return rowCount === 1 ? { nonce, audience, issuedAt, expiresAt } : undefined;
        }),
      ),
    redeem: async (nonce) => {
      if (nonce.length > LONGEST_NONCE || nonce.includes("\u0000") || !nonce.isWellFormed()) return undefined;
      const { rows } = await database.query<ChallengeRow>({
        name: `${table}:redeem`,
        text: `delete from ${table} where nonce = $1 returning nonce, audience, issued_at, expires_at`,
        values: [nonce],
      });
      const [row] = rows;
      return row && { ...timesOf(row), nonce: row.nonce, audience: row.audience };
    },
    sweep: () => {
      const before = new Date(clock.nowMs() - GRACE_MS).toISOString();
      return deleteExpired(database, { table, before, atMost: MOST_AT_ONCE });
    },
  };
}

// Names are written into SQL as they are, so they come from code alone. The counts stop where they are enough.
function insertWithin(table: string): string {
  const outstanding = (and: string, most: string) =>
    `(select count(*) from (select 1 from ${table} where audience = $2 and expires_at > $4::timestamptz${and} limit ${most}) as o)`;
  return `insert into ${table} (nonce, audience, source, issued_at, expires_at)
    select $1, $2, $3, $4::timestamptz, $5::timestamptz
     where ${outstanding("", "$6::int")} < $6::int and ${outstanding(" and source = $3", "$7::int")} < $7::int`;
}

function timesOf({ issued_at, expires_at }: ChallengeRow): Pick<HandshakeChallenge, "issuedAt" | "expiresAt"> {
  return { issuedAt: issued_at.toISOString(), expiresAt: expires_at.toISOString() };
}
