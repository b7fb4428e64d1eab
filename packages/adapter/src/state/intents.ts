import type { LocalRef } from "./pairs.ts";
import type { Queryable } from "./state-database.ts";

/** A record that is to be created, noted before the vault is asked, so that a crash creates it once. */
export interface Intent extends LocalRef {
  readonly owner: string;
  readonly idempotencyKey: string;
  /** The payload as it is sent, also when it is sent again. JSON text. */
  readonly payload: string;
  readonly madeAtMs: number;
}

/** Records under way. */
export interface Intents {
  readonly find: (ref: LocalRef) => Promise<Intent | undefined>;
  /** Those of one owner, for whoever has to know a record that is under way. */
  readonly ofOwner: (owner: string) => Promise<readonly Intent[]>;
  /** Notes an intent, or replaces the row's own. */
  readonly save: (intent: Intent) => Promise<void>;
  readonly remove: (ref: LocalRef) => Promise<void>;
}

interface IntentRow {
  readonly table_name: string;
  readonly local_id: string;
  readonly owner: string;
  readonly idempotency_key: string;
  readonly payload: string;
  readonly made_at: number;
}

/** Opens the intents in a database or a transaction. Refuses: the database's errors. */
export function createIntents({ query }: Queryable): Intents {
  const find = async (where: string, values: readonly string[]): Promise<readonly Intent[]> =>
    (await query<IntentRow>({ text: `select * from ds_intent where ${where}`, values })).map(toIntent);
  return {
    find: async ({ table, localId }) => (await find("table_name = $1 and local_id = $2", [table, localId]))[0],
    ofOwner: (owner) => find("owner = $1", [owner]),
    save: async ({ table, localId, owner, idempotencyKey, payload, madeAtMs }) => {
      await query({
        text: `insert into ds_intent (table_name, local_id, owner, idempotency_key, payload, made_at)
          values ($1, $2, $3, $4, $5, $6)
          on conflict (table_name, local_id) do update set owner = excluded.owner,
            idempotency_key = excluded.idempotency_key, payload = excluded.payload, made_at = excluded.made_at`,
        values: [table, localId, owner, idempotencyKey, payload, madeAtMs],
      });
    },
    remove: async ({ table, localId }) => {
      await query({ text: "delete from ds_intent where table_name = $1 and local_id = $2", values: [table, localId] });
    },
  };
}

function toIntent(row: IntentRow): Intent {
  return {
    table: row.table_name,
    localId: row.local_id,
    owner: row.owner,
    idempotencyKey: row.idempotency_key,
    payload: row.payload,
    madeAtMs: row.made_at,
  };
}
