import type { StateDatabase } from "../state/state-database.ts";
import { captureStatements, type TriggerConfig } from "./triggers.ts";

/** Runs the statements of `captureStatements` in one transaction. Refuses: TypeError; the database's errors. */
export async function installCapture(
  database: StateDatabase<unknown>,
  config: Omit<TriggerConfig, "dialect">,
): Promise<void> {
  const statements = captureStatements({ ...config, dialect: database.dialect });
  await database.inTransaction(async ({ query }) => {
    for (const text of statements) await query({ text, values: [] });
  });
}
