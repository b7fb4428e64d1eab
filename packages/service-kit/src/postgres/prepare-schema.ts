import type { Log } from "../log.ts";
import type { Database } from "./database.ts";
import { assertMigrated, type MigrationSource, migrate } from "./migrations.ts";

/**
 * Makes the tables of a service ready: in development it applies what is pending; in production it only checks, because
 * `dataspace migrate` is a step of its own.
 *
 * Refuses: as `migrate`; in production as `assertMigrated` (78, naming what is pending). Source: decisions P4, P5.
 */
export async function prepareSchema(
  { database, log }: { readonly database: Database; readonly log: Log },
  sources: readonly MigrationSource[],
  production: boolean,
): Promise<void> {
  for (const source of sources) {
    if (production) {
      await assertMigrated(database, source);
      continue;
    }
    const { skipped } = await migrate(database, source);
    for (const { name, reason } of skipped) log.warn({ migration: name, reason }, "an accelerator is not available");
  }
}
