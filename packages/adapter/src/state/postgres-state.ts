import type { Queryable, StateDatabase } from "./state-database.ts";

/** What is needed of a connection of `pg`. */
export interface PostgresClient {
  readonly query: (text: string, values?: unknown[]) => Promise<{ readonly rows: unknown[] }>;
}

/** What is needed of a pool of `pg`. */
export interface PostgresPool<Client extends PostgresClient> extends PostgresClient {
  readonly connect: () => Promise<Client & { readonly release: (error?: Error) => void }>;
}

/**
 * Keeps the adapter's state in PostgreSQL, through the platform's own pool; transactions are read committed.
 *
 * Refuses: the driver's errors.
 */
export function createPostgresState<Client extends PostgresClient>(pool: PostgresPool<Client>): StateDatabase<Client> {
  return {
    dialect: "postgres",
    query: queryOn(pool),
    inTransaction: async (work) => {
      const client = await pool.connect();
      let broken: Error | undefined;
      try {
        await client.query("begin");
        const result = await work({ transaction: client, query: queryOn(client) });
        await client.query("commit");
        return result;
      } catch (error) {
        await client.query("rollback").catch((rollbackError: Error) => {
          broken = rollbackError;
        });
        throw error;
      } finally {
        client.release(broken);
      }
    },
  };
}

function queryOn(client: PostgresClient): Queryable["query"] {
  return async <Row>({ text, values }: Parameters<Queryable["query"]>[0]) =>
    (await client.query(text, [...values])).rows as Row[];
}
