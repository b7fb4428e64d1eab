import { handleChange } from "../outbound/handle-change.ts";
import type { Queryable, StateDatabase } from "../state/state-database.ts";
import type { SyncCore } from "../sync/sync.ts";

const HOOKS = ["afterCreate", "afterUpdate", "afterDestroy", "afterRestore"] as const;

/** The hooks of single instances. */
export type SequelizeHook = (typeof HOOKS)[number];

/** What is needed of Sequelize 6 with PostgreSQL. */
export interface SequelizeDatabase<Transaction> {
  readonly query: (
    text: string,
    options: { readonly bind?: unknown[]; readonly transaction?: Transaction | undefined; readonly type?: never },
  ) => Promise<readonly [unknown, unknown]>;
  readonly transaction: <T>(work: (transaction: Transaction) => Promise<T>) => Promise<T>;
  readonly addHook: (
    hook: SequelizeHook,
    name: string,
    listener: (instance: SequelizeInstance, options: { readonly transaction?: Transaction | null }) => Promise<void>,
  ) => unknown;
}

/** An instance of a Sequelize model. */
export interface SequelizeInstance {
  readonly get: (options: { readonly plain: true }) => Readonly<Record<string, unknown>>;
  readonly constructor: unknown;
}

/** Keeps the adapter's state in the database of Sequelize: PostgreSQL. Refuses: Sequelize's errors. */
export function createSequelizeState<Transaction>(
  sequelize: SequelizeDatabase<Transaction>,
): StateDatabase<Transaction> {
  return {
    dialect: "postgres",
    query: queryOn(sequelize, undefined),
    inTransaction: (work) =>
      sequelize.transaction((transaction) => work({ transaction, query: queryOn(sequelize, transaction) })),
  };
}

/**
 * Notes every change that goes through Sequelize's instances, in the transaction of that change. Bulk writes without
 * `individualHooks` pass it by: those are what `captureStatements` is for.
 *
 * Refuses: what noting refuses, which rolls the change back.
 */
export function addSequelizeHooks<Transaction>(
  sync: SyncCore & { readonly tables: Readonly<Record<string, object>> },
  sequelize: SequelizeDatabase<Transaction>,
): void {
  for (const hook of HOOKS) {
    sequelize.addHook(hook, "dataspace", async (instance, { transaction }) => {
      const { tableName } = instance.constructor as { readonly tableName: string };
      const on = { query: queryOn(sequelize, transaction ?? undefined) };
      await handleChange(sync, { data: instance.get({ plain: true }), tableName }, on);
    });
  }
}

function queryOn<Transaction>(
  sequelize: Pick<SequelizeDatabase<Transaction>, "query">,
  transaction: Transaction | undefined,
): Queryable["query"] {
  return async <Row>({ text, values }: Parameters<Queryable["query"]>[0]) => {
    const [rows] = await sequelize.query(text, {
      // Sequelize looks for `$name` in a text that has a bind, also in the body of a function.
      ...(values.length === 0 ? {} : { bind: [...values] }),
      transaction,
    });
    return (Array.isArray(rows) ? rows : []) as Row[];
  };
}
