import { hash as hashText } from "node:crypto";
import { deleteExpired } from "@dataspace/service-kit/postgres/delete-expired";
import { LRUCache } from "lru-cache";
import type { Clock } from "@dataspace/service-kit/clock";
import type { Queryable } from "@dataspace/service-kit/postgres/database";
import type { IssuedSession, TokenBinding } from "../evidence.ts";
import type { HandshakeClaim } from "../platform-claim.ts";
import type { StatusPlace } from "../reading/status-place.ts";

/** A session as it is found by its token. */
export interface Session {
  readonly audience: string;
  readonly claim: HandshakeClaim;
  /** Where the status of its certificate is; null for a certificate without one. */
  readonly status: StatusPlace | null;
  /** The thumbprint of the key that the session is bound to; null for an unbound one. */
  readonly keyThumbprint: string | null;
  /** Milliseconds since the epoch. */
  readonly expiresAtMs: number;
}

/** What a session is opened for. */
export interface SessionInput {
  readonly audience: string;
  readonly claim: HandshakeClaim;
  readonly status: StatusPlace | null;
  readonly binding: TokenBinding;
  readonly keyThumbprint: string;
}

/** The sessions of claims that were proven. Only the hash of a token is stored. */
export interface SessionStore {
  readonly open: (input: SessionInput) => Promise<IssuedSession>;
  /** Finds a session that has not ended. */
  readonly find: (token: string) => Promise<Session | undefined>;
  /** Deletes sessions that ended, at most 10,000. Out: how many. */
  readonly sweep: () => Promise<number>;
}

type StoredClaim = HandshakeClaim & { readonly status?: StatusPlace | null };

interface SessionRow {
  readonly audience: string;
  readonly claim: string;
  readonly key_thumbprint: string | null;
  readonly expires_at: Date;
}

const TOKEN_BYTES = 32;
const TOKEN = /^dss_[A-Za-z0-9_-]{43}$/;
const LIFETIME_SECONDS = { dpop: 600, none: 300 };
const KEPT_SESSIONS = 10_000;
const MOST_AT_ONCE = 10_000;

/**
 * Makes the store of sessions. A found session is cached in memory until it ends, so that a request costs no look-up.
 *
 * In: `table`, as the migration of the service makes it. Out: a session lives 600 s when it is bound, 300 s when not, and never
 * past the certificate. Refuses: the database's errors. Source: decision A1.
 */
export function createSessionStore(
  deps: { readonly database: Queryable; readonly clock: Clock; readonly randomBytes: (size: number) => Buffer },
  { table }: { readonly table: string },
): SessionStore {
  const { database, clock } = deps;
  const cached = new LRUCache<string, Session>({ max: KEPT_SESSIONS });
  return {
    open: async ({ audience, claim, status, binding, keyThumbprint }) => {
      const token = `dss_${deps.randomBytes(TOKEN_BYTES).toString("base64url")}`;
      const nowMs = clock.nowMs();
      const endsAtMs = Math.min(nowMs + LIFETIME_SECONDS[binding] * 1000, Date.parse(claim.expiresAt));
      const stored = JSON.stringify({ ...claim, status });
      const values = [hashOf(token), audience, stored, binding === "dpop" ? keyThumbprint : null];
      await database.query({
        name: `${table}:open`,
        text: `insert into ${table} (token_hash, audience, claim, key_thumbprint, expires_at) values ($1, $2, $3, $4, $5::timestamptz)`,
        values: [...values, new Date(endsAtMs).toISOString()],
      });
      const expires_in = Math.max(0, Math.floor((endsAtMs - nowMs) / 1000));
      return { access_token: token, token_type: binding === "dpop" ? "DPoP" : "Bearer", expires_in };
    },
    find: async (token) => {
      if (!TOKEN.test(token)) return undefined;
      const hash = hashOf(token);
      const name = hash.toString("base64");
      const session = cached.get(name) ?? (await load(database, table, hash));
      if (session === undefined || session.expiresAtMs <= clock.nowMs()) return undefined;
      cached.set(name, session);
      return session;
    },
    sweep: () => {
      const before = new Date(clock.nowMs()).toISOString();
      return deleteExpired(database, { table, before, atMost: MOST_AT_ONCE });
    },
  };
}

async function load(database: Queryable, table: string, hash: Buffer): Promise<Session | undefined> {
  const { rows } = await database.query<SessionRow>({
    name: `${table}:find`,
    text: `select audience, claim, key_thumbprint, expires_at from ${table} where token_hash = $1`,
    values: [hash],
  });
  const [row] = rows;
  if (row === undefined) return undefined;
  const { status = null, ...claim }: StoredClaim = JSON.parse(row.claim);
  return {
    audience: row.audience,
    claim,
    status,
    keyThumbprint: row.key_thumbprint,
    expiresAtMs: row.expires_at.getTime(),
  };
}

function hashOf(token: string): Buffer {
  return hashText("sha256", token, "buffer");
}
