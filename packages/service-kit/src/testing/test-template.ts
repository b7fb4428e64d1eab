import { createHash, randomBytes } from "node:crypto";
import { type MigrationSource, migrate } from "../postgres/migrations.ts";
import { connectTo, runOn, urlOf } from "./test-connection.ts";

/** The prefix of one test run's templates; where it is not set there are none. */
export const TEST_TEMPLATES_SETTING = "DS_TEST_TEMPLATES";

/** What the server says of a name that is there, and of one that another connection is just giving. */
const NAME_IS_TAKEN: ReadonlySet<unknown> = new Set(["42P04", "23505"]);

const madeHere = new Map<string, Promise<string>>();

/**
 * Gives the name of a database that has a service's tables and nothing else, to make others from; it is made where no process of the
 * run has made it. To copy it is quicker than to migrate.
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

// It gets its name when it is ready, so that nobody copies half of it; of two that are made at once one goes.
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

/** Drops the templates of a run. In: their prefix, made of letters and digits. Refuses: the server's errors. */
export async function dropTemplates(serverUrl: string, prefix: string): Promise<void> {
  const text = `select datname as name from pg_database where starts_with(datname, '${prefix}_')`;
  for (const { name } of await runOn<{ name: string }>(serverUrl, text))
    await runOn(serverUrl, `drop database ${name}`);
}
