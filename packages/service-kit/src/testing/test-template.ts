import { createHash, randomBytes } from "node:crypto";
import { type MigrationSource, migrate } from "../postgres/migrations.ts";
import { connectTo, runOn, urlOf } from "./test-connection.ts";

/** The prefix of one test run's templates; without it there are none. */
export const TEST_TEMPLATES_SETTING = "DS_TEST_TEMPLATES";

/** The server's error codes for an existing name, and for one that another connection is creating. */
const NAME_IS_TAKEN: ReadonlySet<unknown> = new Set(["42P04", "23505"]);

const madeHere = new Map<string, Promise<string>>();

/**
 * Returns the name of a database with a service's tables and nothing else, to copy from. It is created if no process of
 * the run has created it. Copying is faster than migrating.
 *
 * Out: undefined outside a test run. Refuses: as `migrate`, and the server's errors.
 */
export async function findTemplate(serverUrl: string, source: MigrationSource): Promise<string | undefined> {
  const prefix = process.env[TEST_TEMPLATES_SETTING];
  if (!prefix) return undefined;
  const key = `${serverUrl} ${source.directory.href}`;
  const template = madeHere.get(key) ?? makeTemplate(serverUrl, prefix, source);
  madeHere.set(key, template);
  return template;
}

// It gets its name when it is complete, so that nobody copies half of it; of two created at once one is dropped.
async function makeTemplate(serverUrl: string, prefix: string, source: MigrationSource): Promise<string> {
  const name = `${prefix}_${createHash("sha256").update(source.directory.href).digest("hex").slice(0, 12)}`;
  const found = await runOn(serverUrl, `select from pg_database where datname = '${name}'`);
  if (found.length > 0) return name;
  const draft = `${name}_${randomBytes(6).toString("hex")}`;
  await runOn(serverUrl, `create database ${draft}`);
  {
    await using database = connectTo(urlOf(serverUrl, draft), 1);
    await migrate(database, source);
  }
  try {
    await runOn(serverUrl, `alter database ${draft} rename to ${name}`);
  } catch (error) {
    if (!NAME_IS_TAKEN.has((error as { readonly code?: unknown }).code)) throw error;
    await runOn(serverUrl, `drop database ${draft}`);
  }
  return name;
}

/** Drops the templates of a run. In: their prefix of letters and digits. Refuses: the server's errors. */
export async function dropTemplates(serverUrl: string, prefix: string): Promise<void> {
  const text = `select datname as name from pg_database where starts_with(datname, '${prefix}_')`;
  for (const { name } of await runOn<{ name: string }>(serverUrl, text))
    await runOn(serverUrl, `drop database ${name}`);
}
