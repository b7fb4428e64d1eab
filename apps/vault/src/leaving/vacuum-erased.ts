import type { Database } from "@dataspace/service-kit/postgres/database";

const TABLES = ["meta_envelope", "change", "change_event", "group_statement", "owner_policy", "idempotent_answer"];

/**
 * Has the database reclaim the space of erased rows and renew its statistics, which sample values. With `rewrite` it writes the
 * tables again, so that no old page keeps their bytes; nobody writes or reads them meanwhile.
 *
 * Refuses: the database's errors. Source: decision V18; PostgreSQL, VACUUM.
 */
export async function vacuumErased(database: Database, { rewrite }: { readonly rewrite: boolean }): Promise<void> {
  await database.query({ text: "set statement_timeout = 0", values: [], unbounded: true });
  for (const table of TABLES) {
    const text = `vacuum (${rewrite ? "full, analyze" : "analyze"}) ${table}`;
    await database.query({ text, values: [], unbounded: true });
  }
}
