import { assertMigrated, migrate } from "@dataspace/service-kit/postgres/migrations";
import { StartupError } from "@dataspace/service-kit/startup-error";
import type { Database } from "@dataspace/service-kit/postgres/database";
import type { Outcome } from "../print-outcome.ts";
import { OPERATED_SERVICES, type OperatedService } from "./operated-services.ts";

/**
 * Applies the pending migrations of services, one service after the other; with `check` it only finds them.
 *
 * In: the services; all that have tables when none is named. `report` gets a line before each service.
 * Refuses: StartupError 78 as `migrate`; with `check` as `assertMigrated`, once, for all services. Source: decisions
 * P4, P5.
 */
export async function migrateServices(
  { database, report }: { readonly database: Database; readonly report: (line: string) => void },
  services: readonly OperatedService[],
  options: { readonly check?: boolean | undefined } = {},
): Promise<Outcome> {
  const chosen = services.length === 0 ? OPERATED_SERVICES : services;
  const sources = chosen.flatMap(({ migrations }) => migrations);
  if (options.check) {
    const faults = await Promise.all(sources.map((source) => findPending(() => assertMigrated(database, source))));
    const found = faults.filter((fault) => fault !== undefined);
    if (found.length > 0) throw new StartupError(found.join("\n"));
    return { lines: ["No migration is pending."], json: [] };
  }
  const json = [];
  for (const source of sources) {
    report(`Migrating ${source.service} ...`);
    json.push({ service: source.service, ...(await migrate(database, source)) });
  }
  const applied = json.flatMap(({ service, applied: names }) => names.map((name) => `Applied ${service} ${name}.`));
  const skipped = json.flatMap(({ service, skipped: files }) =>
    files.map(({ name, reason }) => `Skipped ${service} ${name}: ${reason}.`),
  );
  return { lines: [...(applied.length === 0 ? ["No migration was pending."] : applied), ...skipped], json };
}

async function findPending(check: () => Promise<void>): Promise<string | undefined> {
  try {
    await check();
    return undefined;
  } catch (error) {
    if (error instanceof StartupError) return error.message;
    throw error;
  }
}
