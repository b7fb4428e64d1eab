import type { EName } from "@dataspace/protocol/ename";
import type { Database } from "@dataspace/service-kit/postgres/database";

/** A client that a developer registered. `secretHash` is SHA-256 in hexadecimal; times are ISO 8601. */
export interface LoginClient {
  readonly clientId: string;
  readonly owner: EName;
  readonly name: string;
  readonly redirectUris: readonly string[];
  readonly requireEmail: boolean;
  /** Whether people confirm each login to this client (decision L6). */
  readonly confirmLogin: boolean;
  readonly secretHash: string;
  /** The secret before the last rotation, which is valid until `previousSecretEndsAt`. */
  readonly previousSecretHash: string | null;
  readonly previousSecretEndsAt: string | null;
  readonly hasLogo: boolean;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
}

/** The stored clients. */
export interface ClientRows {
  readonly find: (clientId: string) => Promise<LoginClient | undefined>;
  readonly listOf: (owner: EName) => Promise<readonly LoginClient[]>;
  readonly findLogo: (clientId: string) => Promise<Uint8Array | undefined>;
  /** Stores when clients were last used (ISO 8601), by client id. */
  readonly noteUses: (uses: ReadonlyMap<string, string>) => Promise<void>;
  /** Out: undefined once the client is stored; otherwise the seconds until the owner may create the next one. */
  readonly add: (client: NewClient, limit: CreationLimit) => Promise<number | undefined>;
  /** Changes an owner's client; undefined members stay. Out: whether the owner has it. */
  readonly change: (owner: EName, clientId: string, change: ClientChange) => Promise<boolean>;
  /** Replaces the secret; the present one stays valid for a while, the one before it ends. Out: whether the owner has the client. */
  readonly rotateSecret: (owner: EName, clientId: string, rotation: SecretRotation) => Promise<boolean>;
  /** Ends the secret before the last rotation at once. */
  readonly endPreviousSecret: (owner: EName, clientId: string) => Promise<boolean>;
  readonly remove: (owner: EName, clientId: string) => Promise<boolean>;
}

/** A client that is about to be stored. */
export interface NewClient {
  readonly clientId: string;
  readonly owner: EName;
  readonly name: string;
  readonly redirectUris: readonly string[];
  readonly requireEmail: boolean;
  readonly confirmLogin: boolean;
  readonly secretHash: string;
  readonly logo: Uint8Array | undefined;
}

/** How many clients an owner may create in the hour before `at`; 0: any number. */
export interface CreationLimit {
  readonly perHour: number;
  readonly at: string;
}

/** The changes of a client. `logo` null removes it. */
export interface ClientChange {
  readonly name?: string;
  readonly redirectUris?: readonly string[];
  readonly requireEmail?: boolean;
  readonly confirmLogin?: boolean;
  readonly logo?: Uint8Array | null;
}

/** A rotation: the new secret's hash, and when the present secret stops working. */
export interface SecretRotation {
  readonly secretHash: string;
  readonly previousEndsAt: string;
}

function isoOf(column: "created_at" | "last_used_at" | "previous_secret_ends_at"): string {
  return `to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

const COLUMNS = `client_id as "clientId", owner, name, redirect_uris as "redirectUris", require_email as "requireEmail",
  confirm_login as "confirmLogin", secret_hash as "secretHash", previous_secret_hash as "previousSecretHash",
  ${isoOf("previous_secret_ends_at")} as "previousSecretEndsAt", logo is not null as "hasLogo", ${isoOf("created_at")} as "createdAt", ${isoOf("last_used_at")} as "lastUsedAt"`;
const MOST_LISTED = 200;
const LONGEST_ID = 128;

/** Makes the rows on a migrated database. Refuses: the database's errors. Source: S2 "Client". */
export function createClientRows(database: Database): ClientRows {
  return {
    find: async (clientId) => {
      if (!isPossibleId(clientId)) return undefined;
      const { rows } = await database.query<LoginClient>({
        name: "login_client_find",
        text: `select ${COLUMNS} from login_client where client_id = $1`,
        values: [clientId],
      });
      return rows[0];
    },
    listOf: async (owner) => {
      const { rows } = await database.query<LoginClient>({
        name: "login_client_list",
        text: `select ${COLUMNS} from login_client where owner = $1 order by created_at, client_id limit ${MOST_LISTED}`,
        values: [owner],
      });
      return rows;
    },
    findLogo: async (clientId) => {
      if (!isPossibleId(clientId)) return undefined;
      const { rows } = await database.query<{ readonly logo: Uint8Array | null }>({
        name: "login_client_logo",
        text: "select logo from login_client where client_id = $1",
        values: [clientId],
      });
      return rows[0]?.logo ?? undefined;
    },
    noteUses: async (uses) => {
      await database.query({
        name: "login_client_uses",
        text: `update login_client set last_used_at = greatest(last_used_at, used.at)
          from unnest($1::text[], $2::timestamptz[]) as used (client_id, at) where login_client.client_id = used.client_id`,
        values: [[...uses.keys()], [...uses.values()]],
      });
    },
    add: (client, limit) => add(database, client, limit),
    change: async (owner, clientId, change) => {
      if (!isPossibleId(clientId)) return false;
      const { rowCount } = await database.query({
        text: `update login_client set name = coalesce($3, name), redirect_uris = coalesce($4, redirect_uris),
          require_email = coalesce($5, require_email), confirm_login = coalesce($6, confirm_login),
          logo = case when $7 then $8 else logo end
          where owner = $1 and client_id = $2`,
        values: [
          owner,
          clientId,
          change.name,
          change.redirectUris,
          change.requireEmail,
          change.confirmLogin,
          change.logo !== undefined,
          change.logo,
        ],
      });
      return rowCount === 1;
    },
    rotateSecret: async (owner, clientId, { secretHash, previousEndsAt }) => {
      if (!isPossibleId(clientId)) return false;
      const { rowCount } = await database.query({
        text: `update login_client set previous_secret_hash = secret_hash, previous_secret_ends_at = $4, secret_hash = $3
          where owner = $1 and client_id = $2`,
        values: [owner, clientId, secretHash, previousEndsAt],
      });
      return rowCount === 1;
    },
    endPreviousSecret: async (owner, clientId) => {
      if (!isPossibleId(clientId)) return false;
      const { rowCount } = await database.query({
        text: `update login_client set previous_secret_hash = null, previous_secret_ends_at = null
          where owner = $1 and client_id = $2`,
        values: [owner, clientId],
      });
      return rowCount === 1;
    },
    remove: async (owner, clientId) => {
      if (!isPossibleId(clientId)) return false;
      const values = [owner, clientId];
      return (
        (await database.query({ text: "delete from login_client where owner = $1 and client_id = $2", values }))
          .rowCount === 1
      );
    },
  };
}

/** Counts and inserts under one lock of the owner, so that two concurrent forms cannot exceed the limit together. */
function add(database: Database, client: NewClient, { perHour, at }: CreationLimit): Promise<number | undefined> {
  const { clientId, owner, name, redirectUris, requireEmail, confirmLogin, secretHash, logo } = client;
  return database.transaction(async (transaction) => {
    await transaction.query({ text: "select pg_advisory_xact_lock(hashtextextended($1, 1))", values: [owner] });
    const { rows } = await transaction.query<{ readonly count: number; readonly seconds: number | null }>({
      text: `select count(*)::int as count,
          ceil(extract(epoch from min(created_at) + interval '1 hour' - $2::timestamptz))::int as seconds
        from login_client_creation where owner = $1 and created_at > $2::timestamptz - interval '1 hour'`,
      values: [owner, at],
    });
    const { count = 0, seconds } = rows[0] ?? {};
    if (perHour > 0 && count >= perHour) return Math.max(1, seconds ?? 0);
    await transaction.query({
      text: `with counted as (insert into login_client_creation (owner, created_at, client_id) values ($2, $8, $1))
        insert into login_client (client_id, owner, name, redirect_uris, require_email, secret_hash, logo, created_at, confirm_login)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      values: [clientId, owner, name, redirectUris, requireEmail, secretHash, logo ?? null, at, confirmLogin],
    });
    return undefined;
  });
}

/** An id that no client can have is not sent to the database, which refuses NUL. */
function isPossibleId(clientId: string): boolean {
  return clientId.length <= LONGEST_ID && /^[\x21-\x7e]+$/.test(clientId);
}
