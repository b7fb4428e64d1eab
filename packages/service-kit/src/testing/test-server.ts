import { randomBytes } from "node:crypto";
import type { EmbeddedPostgres } from "../storage/embedded-postgres.ts";
import { startTemporaryPostgres } from "../storage/temporary-postgres.ts";
import { TEST_SERVER_SETTING } from "./test-database.ts";
import { dropTemplates, TEST_TEMPLATES_SETTING } from "./test-template.ts";

let server: EmbeddedPostgres | undefined;

/**
 * Starts the PostgreSQL of a test run, unless DATABASE_URL or the run's own setting names another. The test runner
 * calls it.
 *
 * @public
 */
export async function globalSetup(): Promise<void> {
  const given = process.env[TEST_SERVER_SETTING] || process.env["DATABASE_URL"];
  if (!given) server = await startTemporaryPostgres();
  process.env[TEST_SERVER_SETTING] = given || server?.url;
  process.env[TEST_TEMPLATES_SETTING] = `template_${randomBytes(6).toString("hex")}`;
}

/**
 * Stops what `globalSetup` started. The test runner calls it.
 *
 * @public
 */
export async function globalTeardown(): Promise<void> {
  await dropTemplates(process.env[TEST_SERVER_SETTING] as string, process.env[TEST_TEMPLATES_SETTING] as string);
  await server?.[Symbol.asyncDispose]();
}
