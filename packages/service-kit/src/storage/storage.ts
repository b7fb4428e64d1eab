import { statSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { addressWithoutUser, askServer, assertFitServer, type ServerFacts } from "../postgres/database-url.ts";
import { StartupError } from "../startup-error.ts";
import { startEmbeddedPostgres } from "./embedded-postgres.ts";

/** Which storage: a DATABASE_URL, or an embedded server with its directory. */
export interface StorageConfig {
  /** An address of a PostgreSQL; undefined starts the embedded one. */
  readonly databaseUrl: string | undefined;
  /** The caller holds its lock (`openDataDirectory`). */
  readonly dataDirectory: string;
  readonly checkoutDirectory: string;
  readonly report: (line: string) => void;
  readonly production: boolean;
  /** Ends the wait for a server that does not answer. */
  readonly signal?: AbortSignal | undefined;
}

/** The storage of all data. Disposing of it stops the embedded server; an operator's server is not stopped. */
export interface Storage extends AsyncDisposable {
  /** For connecting. May contain a password: never print it. */
  readonly url: string;
  /** For printing: the server, and whether an acknowledged write survives a power cut. */
  readonly description: string;
  readonly durable: boolean;
  /** The directory of the embedded data; undefined under DATABASE_URL. */
  readonly directory: string | undefined;
}

const DATABASE_NAME = "dataspace";
const DEVELOPMENT_PATIENCE_MS = 5_000;
/** A server that takes the connection and does not answer yet is there, and busy. */
const BUSY_PATIENCE_MS = 20_000;
const ASK_LIMIT_MS = 10_000;
/** What the driver says when its time limit for a connection ends. */
const TIMED_OUT = "timeout expired";
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;
const REPORT_EVERY_MS = 30_000;

/**
 * Opens the storage: the server behind DATABASE_URL, otherwise the embedded PostgreSQL with its own database.
 *
 * It waits for a server that does not answer: in development 5 s, or 20 s when it takes the
 * connection, in production until it answers or `signal` fires.
 * Refuses: StartupError 78 naming DATABASE_URL or DS_DATA_DIR, 75 for data that another process uses; AbortError.
 * Source: decisions P4, P5, P6.
 */
export async function openStorage(config: StorageConfig): Promise<Storage> {
  if (config.databaseUrl !== undefined) return await openServer(config.databaseUrl, config);
  if (config.production) assertPrivate(config.dataDirectory);
  return await openEmbedded(config);
}

async function openEmbedded(config: StorageConfig): Promise<Storage> {
  const server = await startEmbeddedPostgres(config);
  try {
    const url = await server.createDatabaseIfMissing(DATABASE_NAME);
    const answer = await askServer(url, ASK_LIMIT_MS);
    if ("silence" in answer) throw new Error(`The embedded PostgreSQL does not answer (${answer.silence}).`);
    return {
      url,
      description: describe(answer.facts, "embedded"),
      durable: answer.facts.fsync,
      directory: server.place,
      [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    };
  } catch (error) {
    await server[Symbol.asyncDispose]();
    throw error;
  }
}

async function openServer(url: string, config: StorageConfig): Promise<Storage> {
  const facts = await waitForServer(url, config);
  assertFitServer(facts, config.production);
  if (!facts.checksums)
    config.report("The server behind DATABASE_URL has data checksums off: it cannot detect damaged disks.");
  return {
    url,
    description: describe(facts, `at ${addressWithoutUser(url)}`),
    durable: facts.fsync,
    directory: undefined,
    [Symbol.asyncDispose]: async () => undefined,
  };
}

async function waitForServer(url: string, config: StorageConfig): Promise<ServerFacts> {
  const startedMs = performance.now();
  let deadline = startedMs + (config.production ? Number.POSITIVE_INFINITY : DEVELOPMENT_PATIENCE_MS);
  let nextReport = 0;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    config.signal?.throwIfAborted();
    const answer = await askServer(url, ASK_LIMIT_MS);
    if ("facts" in answer) return answer.facts;
    if (answer.silence === TIMED_OUT) deadline = Math.max(deadline, startedMs + BUSY_PATIENCE_MS);
    const where = addressWithoutUser(url);
    if (performance.now() + pauseMs > deadline) {
      throw new StartupError(
        `DATABASE_URL: no PostgreSQL answers at ${where} (${answer.silence}). Start it, correct DATABASE_URL, or unset it to use the embedded one.`,
      );
    }
    if (performance.now() > nextReport) {
      config.report(`Waiting for the PostgreSQL of DATABASE_URL at ${where} (${answer.silence}).`);
      nextReport = performance.now() + REPORT_EVERY_MS;
    }
    await sleep(pauseMs, undefined, config.signal === undefined ? {} : { signal: config.signal });
  }
}

function describe(facts: ServerFacts, where: string): string {
  const durability = facts.fsync ? "durable (fsync on" : "NOT durable (fsync off";
  return `PostgreSQL ${facts.version}, ${where}, ${durability}, checksums ${facts.checksums ? "on" : "off"})`;
}

function assertPrivate(directory: string): void {
  if ((statSync(directory).mode & 0o007) === 0) return;
  throw new StartupError(
    `DS_DATA_DIR: other users may enter ${directory}. In production close it: chmod 700 ${directory}`,
  );
}
