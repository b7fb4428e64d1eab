import { randomBytes } from "node:crypto";
import { tmpdir } from "node:os";
import { type Database, openDatabase } from "@dataspace/service-kit/postgres/database";
import { startTemporaryPostgres } from "@dataspace/service-kit/storage/temporary-postgres";
import { parentOf } from "./process-cpu.ts";

/** The PostgreSQL that everything is measured on. `pid` is its main process, undefined when it is not on this machine. */
export interface BenchServer extends AsyncDisposable {
  readonly pid: number | undefined;
  /** A directory on the disk of the data, as far as known. */
  readonly directory: string;
  readonly description: string;
  /** Makes an empty database, dropped with the server. */
  readonly createDatabase: (label: string) => Promise<BenchDatabase>;
}

/** A database with a connection for the bench's own statements. */
export interface BenchDatabase extends Database {
  readonly url: string;
}

/** What differs from the settings the product starts its server with: room for the big tables, and no new WAL files. */
const SERVER_SETTINGS: Readonly<Record<string, string>> = {
  shared_buffers: "2GB",
  min_wal_size: "4GB",
  max_wal_size: "8GB",
};

const SHOWN_SETTINGS = [
  "fsync",
  "synchronous_commit",
  "full_page_writes",
  "data_checksums",
  "jit",
  "random_page_cost",
  ...Object.keys(SERVER_SETTINGS),
];
const WARM_WAL_FILES = 96;
const STATEMENT_TIMEOUT_MS = 1_800_000;

/**
 * Starts the product's own PostgreSQL with a temporary directory, or uses the server of `url`.
 *
 * WAL files are made beforehand and recycled: a create that also has to make its WAL file costs up to twice as much.
 * Refuses: the server's errors; the user must be allowed to switch WAL files.
 */
export async function openBenchServer(url: string | undefined): Promise<BenchServer> {
  await using stack = new AsyncDisposableStack();
  const own = url === undefined ? stack.use(await startTemporaryPostgres(SERVER_SETTINGS)) : undefined;
  const adminUrl = url ?? (own?.url as string);
  const admin = stack.use(openOn(adminUrl, 1));
  await warmWal(admin);
  const backend = await one<{ pid: number }>(admin, "select pg_backend_pid() as pid");
  const description = await describe(admin);
  const owned = stack.move();
  return {
    pid: parentOf(backend.pid),
    directory: own?.place ?? tmpdir(),
    description,
    createDatabase: (label) => createDatabase(admin, adminUrl, label),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Runs a statement that gives one row. */
export async function one<Row>(database: Database, text: string, values: readonly unknown[] = []): Promise<Row> {
  const { rows } = await database.query<Row>({ text, values });
  if (rows[0] === undefined) throw new Error(`no row from: ${text}`);
  return rows[0];
}

async function createDatabase(admin: Database, adminUrl: string, label: string): Promise<BenchDatabase> {
  const name = `bench_${label}_${randomBytes(4).toString("hex")}`;
  await admin.query({ text: `create database ${name}`, values: [] });
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  const database = openOn(url.href, 2);
  return {
    ...database,
    url: url.href,
    [Symbol.asyncDispose]: async () => {
      await database[Symbol.asyncDispose]();
      await admin.query({ text: `drop database if exists ${name} with (force)`, values: [] });
    },
  };
}

function openOn(url: string, maxConnections: number): Database {
  const limits = { statementTimeoutMs: STATEMENT_TIMEOUT_MS, connectTimeoutMs: 10_000 };
  return openDatabase({ url, maxConnections, applicationName: "dataspace-bench", ...limits }, () => undefined);
}

async function warmWal(admin: Database): Promise<void> {
  for (let file = 0; file < WARM_WAL_FILES; file += 1) {
    await one(admin, "select pg_logical_emit_message(true, 'bench', 'warm')");
    await one(admin, "select pg_switch_wal()");
  }
  await admin.query({ text: "checkpoint", values: [] });
}

async function describe(admin: Database): Promise<string> {
  const { version } = await one<{ version: string }>(admin, "select version()");
  const text = "select name, current_setting(name) as value from pg_settings where name = any($1) order by name";
  const { rows } = await admin.query<{ name: string; value: string }>({ text, values: [SHOWN_SETTINGS] });
  return `${version.split(" (")[0]?.split(" on ")[0]}; ${rows.map(({ name, value }) => `${name} ${value}`).join(", ")}`;
}
