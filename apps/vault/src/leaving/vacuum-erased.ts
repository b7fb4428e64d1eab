import type { Database } from "@dataspace/service-kit/postgres/database";

const TABLES = ["meta_envelope", "change", "change_event", "group_statement", "owner_policy", "idempotent_answer"];

/**
 * Has the database reclaim the space of erased rows and renew its statistics, which sample values. With `rewrite` it writes the
 * tables again, so that no old page keeps their bytes; nobody writes or reads them meanwhile.
 *
 * All of it runs on one connection, whose limit for statements is lifted and restored.
 * Refuses: the database's errors. Source: decision V18; PostgreSQL, VACUUM.
 */
export async function vacuumErased(database: Database, { rewrite }: { readonly rewrite: boolean }): Promise<void> {
  await database.transaction(async (session) => {
    // Ends the transaction, in which nothing can be vacuumed; what follows runs on its connection.
    await session.query({ text: "commit", values: [] });
    try {
      await session.query({ text: "set statement_timeout = 0", values: [] });
      for (const table of TABLES) {
        const text = `vacuum (${rewrite ? "full, analyze" : "analyze"}) ${table}`;
        await session.query({ text, values: [], unbounded: true });
      }
    } finally {
      await session.query({ text: "reset statement_timeout", values: [] }).catch(() => undefined);
    }
  });
}
