import { handleChange, type LocalChange } from "../outbound/handle-change.ts";
import type { Queryable, StateDatabase } from "../state/state-database.ts";
import type { SyncCore } from "../sync/sync.ts";

/** What is needed of a Prisma client, or of the client inside an interactive transaction. */
export interface PrismaExecutor {
  readonly $queryRawUnsafe: <Rows>(text: string, ...values: unknown[]) => PromiseLike<Rows>;
}

/** What is needed of a Prisma client of PostgreSQL. */
export interface PrismaDatabase<Transaction extends PrismaExecutor> extends PrismaExecutor {
  readonly $transaction: <T>(work: (transaction: Transaction) => Promise<T>) => Promise<T>;
}

/** Keeps the adapter's state in the database of a Prisma client: PostgreSQL. Refuses: Prisma's errors. */
export function createPrismaState<Transaction extends PrismaExecutor>(
  client: PrismaDatabase<Transaction>,
): StateDatabase<Transaction> {
  return {
    dialect: "postgres",
    query: queryOn(client),
    inTransaction: (work) => client.$transaction((transaction) => work({ transaction, query: queryOn(transaction) })),
  };
}

/**
 * Notes a change in the interactive transaction that makes it. A Prisma extension cannot see whether a query's transaction commits, so
 * call it beside the write, or use `captureStatements`.
 *
 * Refuses: as handleChange, which rolls the change back.
 */
export async function notePrismaChange(
  sync: SyncCore & { readonly tables: Readonly<Record<string, object>> },
  transaction: PrismaExecutor,
  change: LocalChange,
): Promise<void> {
  await handleChange(sync, change, { query: queryOn(transaction) });
}

function queryOn(executor: PrismaExecutor): Queryable["query"] {
  return <Row>({ text, values }: Parameters<Queryable["query"]>[0]) =>
    Promise.resolve(executor.$queryRawUnsafe<Row[]>(text, ...values));
}
