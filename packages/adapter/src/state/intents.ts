import { createIdStore, type LocalRef } from "./pairs.ts";
import type { Queryable, Session, StateDatabase } from "./state-database.ts";

/** What a creation sends, the same at each attempt. */
export interface CreationInput {
  readonly payload: Readonly<Record<string, unknown>>;
  /** The eNames that may read the record, where others than its owner take part. */
  readonly acl?: readonly string[];
}

/** A record that is to be created, noted before the vault is asked, so that a crash creates it once. */
export interface Intent extends LocalRef {
  readonly owner: string;
  readonly idempotencyKey: string;
  readonly input: CreationInput;
  /** The record's id, where the platform chose it: a bulk creation does. */
  readonly globalId: string | undefined;
  readonly madeAtMs: number;
}

/** Records under way. */
export interface Intents {
  readonly find: (ref: LocalRef) => Promise<Intent | undefined>;
  /** Those of some rows of a table. */
  readonly findMany: (table: string, localIds: readonly string[]) => Promise<readonly Intent[]>;
  /** Those of one owner: an event of that owner's vault may be about one of them. */
  readonly ofOwner: (owner: string) => Promise<readonly Intent[]>;
  /** Replaces an intent's key and time. */
  readonly renew: (intent: Intent) => Promise<void>;
  /** Removes an intent, unless another one took its place. */
  readonly remove: (intent: Pick<Intent, "table" | "localId" | "idempotencyKey">) => Promise<void>;
  /** Removes intents of one table, unless others took their places. */
  readonly removeMany: (intents: readonly Pick<Intent, "table" | "localId" | "idempotencyKey">[]) => Promise<void>;
}

interface IntentRow {
  readonly table_name: string;
  readonly local_id: string;
  readonly owner: string;
  readonly idempotency_key: string;
  readonly input: string;
  readonly global_id: string | null;
  readonly made_at: number;
}

const COLUMNS = "table_name, local_id, owner, idempotency_key, input, global_id, made_at";
const AT_ONCE = 500;

/** Opens the intents in a database or a transaction. Refuses: the database's errors. */
export function createIntents({ query }: Queryable): Intents {
  const find = async (where: string, values: readonly string[]): Promise<readonly Intent[]> =>
    (await query<IntentRow>({ text: `select * from ds_intent where ${where}`, values })).map(toIntent);
  return {
    find: async ({ table, localId }) => (await find("table_name = $1 and local_id = $2", [table, localId]))[0],
    findMany: async (table, localIds) => {
      const found: Intent[] = [];
      for (const some of chunk(localIds)) {
        const places = some.map((_, at) => `$${at + 2}`).join(", ");
        found.push(...(await find(`table_name = $1 and local_id in (${places})`, [table, ...some])));
      }
      return found;
    },
    ofOwner: (owner) => find("owner = $1", [owner]),
    renew: async ({ table, localId, idempotencyKey, globalId, madeAtMs }) => {
      const text = `update ds_intent set idempotency_key = $3, made_at = $4, global_id = $5
        where table_name = $1 and local_id = $2`;
      await query({ text, values: [table, localId, idempotencyKey, madeAtMs, globalId ?? null] });
    },
    remove: async ({ table, localId, idempotencyKey }) => {
      const text = "delete from ds_intent where table_name = $1 and local_id = $2 and idempotency_key = $3";
      await query({ text, values: [table, localId, idempotencyKey] });
    },
    removeMany: async (intents) => {
      for (const some of chunk(intents)) {
        // A key is a UUID of one row's intent, so it names that intent.
        const places = some.map((_, at) => `$${at + 2}`).join(", ");
        const text = `delete from ds_intent where table_name = $1 and idempotency_key in (${places})`;
        await query({ text, values: [some[0]?.table ?? "", ...some.map(({ idempotencyKey }) => idempotencyKey)] });
      }
    },
  };
}

function chunk<Item>(items: readonly Item[]): readonly (readonly Item[])[] {
  return Array.from({ length: Math.ceil(items.length / AT_ONCE) }, (_, at) =>
    items.slice(at * AT_ONCE, (at + 1) * AT_ONCE),
  );
}

/**
 * Notes creations that nobody else has begun: of two processes that want to create the record of one row, one gets it.
 *
 * In: intents of one table. Out: the local ids that are the caller's to create. The others have an intent or a record already.
 * Refuses: the database's errors.
 */
export async function claimIntents(
  database: StateDatabase<unknown>,
  intents: readonly Intent[],
): Promise<ReadonlySet<string>> {
  return database.inTransaction(async (session) => {
    const claimed = new Set<string>();
    for (const some of chunk(intents)) {
      for (const localId of await claimSome(session, some)) claimed.add(localId);
    }
    return claimed;
  });
}

async function claimSome(session: Session<unknown>, intents: readonly Intent[]): Promise<readonly string[]> {
  const values = intents.flatMap(toValues);
  const width = COLUMNS.split(",").length;
  const places = intents.map((_, row) => `(${Array.from({ length: width }, (_, at) => `$${row * width + at + 1}`)})`);
  const noted = await session.query<Pick<IntentRow, "local_id">>({
    text: `insert into ds_intent (${COLUMNS}) values ${places} on conflict do nothing returning local_id`,
    values,
  });
  const mine = noted.map(({ local_id }) => local_id);
  const [first] = intents;
  if (first === undefined) return [];
  // Whoever had the intent before may have saved its pair between the caller's look and this transaction.
  const paired = await createIdStore(session).findLive(first.table, mine);
  const won = mine.filter((localId) => !paired.has(localId));
  const intentOf = new Map(intents.map((intent) => [intent.localId, intent]));
  for (const localId of paired) await createIntents(session).remove(intentOf.get(localId) ?? first);
  return won;
}

function toValues(intent: Intent): readonly (string | number | null)[] {
  const { table, localId, owner, idempotencyKey, input, globalId, madeAtMs } = intent;
  return [table, localId, owner, idempotencyKey, JSON.stringify(input), globalId ?? null, madeAtMs];
}

function toIntent(row: IntentRow): Intent {
  return {
    table: row.table_name,
    localId: row.local_id,
    owner: row.owner,
    idempotencyKey: row.idempotency_key,
    input: JSON.parse(row.input),
    globalId: row.global_id ?? undefined,
    madeAtMs: row.made_at,
  };
}
