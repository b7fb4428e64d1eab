import type { Queryable } from "./state-database.ts";

/** A row's table and id. */
export interface LocalRef {
  readonly table: string;
  readonly localId: string;
}

/** A record's owner and id. A global id is only unique with its owner. */
export interface GlobalRef {
  readonly owner: string;
  readonly globalId: string;
}

/**
 * How a pair ended: not yet, because this platform or somebody else removed its side, or because the row now belongs to another owner
 * than the record.
 */
export type Removal = "none" | "local" | "remote" | "moved";

/** A row and its record. Source: S3 "ID mapping"; decision A3. */
export interface Pair extends LocalRef, GlobalRef {
  /** The record's payload as the row reflects it: what is equal to it needs no write. JSON text. */
  readonly known: string;
  /** Global fields that wait for a row that is not there yet, so the local side of them must not go out. */
  readonly held: readonly string[];
  /** Counts the changes of `known`. */
  readonly revision: number;
  /** Whether this platform wrote to the record, so that an event may be older than what it wrote. */
  readonly hasOwnWrites: boolean;
  /** Whether and how this pair ended. */
  readonly removal: Removal;
}

/** The pairs of rows and records. One interface for memory, SQLite and PostgreSQL. */
export interface IdStore {
  readonly findByLocal: (ref: LocalRef) => Promise<Pair | undefined>;
  readonly findByGlobal: (ref: GlobalRef) => Promise<Pair | undefined>;
  /** The global ids of rows, by local id; of removed records too. */
  readonly globalIds: (table: string, localIds: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  /**
   * The local ids of records, by global id. Where two owners use one id, the pair of `owner` counts, then the one that was saved
   * first: another owner's vault cannot take over an id that is known.
   */
  readonly localIds: (
    table: string,
    globalIds: readonly string[],
    owner: string,
  ) => Promise<ReadonlyMap<string, string>>;
  /** Those of the given rows that have a record that was not removed. */
  readonly findLive: (table: string, localIds: readonly string[]) => Promise<ReadonlySet<string>>;
  /** Adds a pair, or joins the record to another row. A row whose record was removed may get another record. */
  readonly save: (pair: Omit<Pair, "revision">, nowMs: number) => Promise<void>;
  /** Adds pairs of one table whose rows have none; a row that got one meanwhile keeps it. */
  readonly saveMany: (pairs: readonly Omit<Pair, "revision">[], nowMs: number) => Promise<void>;
  /** Sets flags of a pair, whatever its revision is. */
  readonly mark: (ref: GlobalRef, flags: Partial<Pick<Pair, "hasOwnWrites" | "removal">>) => Promise<void>;
  /** Replaces what is known, if it is still of that revision. Out: whether it was. */
  readonly advance: (pair: Pair, change: PairChange) => Promise<boolean>;
}

/** What may change about a pair. */
export type PairChange = Partial<Pick<Pair, "known" | "held" | "hasOwnWrites" | "removal">>;

interface PairRow {
  readonly table_name: string;
  readonly local_id: string;
  readonly owner: string;
  readonly global_id: string;
  readonly known: string;
  readonly held: string;
  readonly revision: number;
  readonly own_writes: number;
  readonly removal: Removal;
}

const MANY = 500;
const COLUMNS = "table_name, local_id, owner, global_id, known, held, own_writes, removal, saved_at";

/** Opens the pairs in a database or a transaction. Refuses: the database's errors. */
export function createIdStore({ query }: Queryable): IdStore {
  const find = async (where: string, values: readonly string[]): Promise<Pair | undefined> => {
    const [row] = await query<PairRow>({ text: `select * from ds_pair where ${where}`, values });
    return row && toPair(row);
  };
  return {
    findByLocal: ({ table, localId }) => find("table_name = $1 and local_id = $2", [table, localId]),
    findByGlobal: ({ owner, globalId }) => find("owner = $1 and global_id = $2", [owner, globalId]),
    globalIds: async (table, localIds) => {
      const rows = await findMany(query, { table, column: "local_id", ids: localIds });
      return new Map(rows.map((row) => [row.local_id, row.global_id]));
    },
    localIds: async (table, globalIds, owner) => {
      const rows = await findMany(query, { table, column: "global_id", ids: globalIds });
      const own = rows.filter((row) => row.owner === owner);
      return new Map([...rows.toReversed(), ...own].map((row) => [row.global_id, row.local_id]));
    },
    findLive: async (table, localIds) => {
      const rows = await findMany(query, { table, column: "local_id", ids: localIds });
      return new Set(rows.filter(({ removal }) => removal === "none").map(({ local_id }) => local_id));
    },
    save: async (pair, nowMs) => {
      await query({
        text: "delete from ds_pair where table_name = $1 and local_id = $2 and removal <> 'none' and global_id <> $3",
        values: [pair.table, pair.localId, pair.globalId],
      });
      await query({
        text: `insert into ds_pair (${COLUMNS})
          values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
          on conflict (owner, global_id) do update set table_name = excluded.table_name, local_id = excluded.local_id,
            known = excluded.known, held = excluded.held, own_writes = excluded.own_writes, removal = excluded.removal,
            revision = ds_pair.revision + 1`,
        values: [...keyOf(pair), ...toValues(pair), nowMs],
      });
    },
    saveMany: async (pairs, nowMs) => {
      for (let from = 0; from < pairs.length; from += MANY) {
        const some = pairs.slice(from, from + MANY);
        const values = some.flatMap((pair) => [...keyOf(pair), ...toValues(pair), nowMs]);
        const width = values.length / some.length;
        const rows = some.map((_, row) => `(${Array.from({ length: width }, (_, at) => `$${row * width + at + 1}`)})`);
        await query({ text: `insert into ds_pair (${COLUMNS}) values ${rows} on conflict do nothing`, values });
      }
    },
    mark: async ({ owner, globalId }, { hasOwnWrites, removal }) => {
      const text = `update ds_pair set own_writes = coalesce($3, own_writes), removal = coalesce($4, removal),
        revision = revision + 1 where owner = $1 and global_id = $2`;
      const ownWrites = hasOwnWrites === undefined ? null : Number(hasOwnWrites);
      await query({ text, values: [owner, globalId, ownWrites, removal ?? null] });
    },
    advance: async (pair, change) => {
      const rows = await query<object>({
        text: `update ds_pair set known = $1, held = $2, own_writes = $3, removal = $4, revision = revision + 1
          where owner = $5 and global_id = $6 and revision = $7 returning revision`,
        values: [...toValues({ ...pair, ...change }), pair.owner, pair.globalId, pair.revision],
      });
      return rows.length > 0;
    },
  };
}

function keyOf({ table, localId, owner, globalId }: LocalRef & GlobalRef): readonly string[] {
  return [table, localId, owner, globalId];
}

function toValues({ known, held, hasOwnWrites, removal }: Required<PairChange>): readonly (string | number)[] {
  return [known, JSON.stringify(held), Number(hasOwnWrites), removal];
}

function toPair(row: PairRow): Pair {
  return {
    table: row.table_name,
    localId: row.local_id,
    owner: row.owner,
    globalId: row.global_id,
    known: row.known,
    held: JSON.parse(row.held),
    revision: row.revision,
    hasOwnWrites: row.own_writes === 1,
    removal: row.removal,
  };
}

interface Wanted {
  readonly table: string;
  readonly column: "local_id" | "global_id";
  readonly ids: readonly string[];
}

async function findMany(query: Queryable["query"], { table, column, ids }: Wanted): Promise<readonly PairRow[]> {
  const rows: PairRow[] = [];
  const each = [...new Set(ids)];
  for (let from = 0; from < each.length; from += MANY) {
    const some = each.slice(from, from + MANY);
    const places = some.map((_id, at) => `$${at + 2}`).join(", ");
    const text = `select * from ds_pair where table_name = $1 and ${column} in (${places}) order by saved_at, owner`;
    rows.push(...(await query<PairRow>({ text, values: [table, ...some] })));
  }
  return rows;
}
