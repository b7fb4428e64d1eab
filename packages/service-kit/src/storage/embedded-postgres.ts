import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { mkdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { runOneStatement } from "../postgres/one-statement.ts";
import { StartupError } from "../startup-error.ts";
import { lockDirectory } from "./directory-lock.ts";
import { chooseAddress } from "./postgres-address.ts";
import { installBinaries } from "./postgres-binaries.ts";
import { assertSpace, prepareCluster } from "./postgres-cluster.ts";
import { findServerUser, isFitPlace, isSafePlace, listPlaces, type ServerUser } from "./postgres-place.ts";
import { startServer } from "./postgres-server.ts";
import { superviseServer } from "./postgres-supervisor.ts";

/** Where an embedded server stores its data, which checkout it belongs to, and who receives its reports. */
export interface EmbeddedPostgresConfig {
  /** Absolute and free of symbolic links; the caller holds its lock (`openDataDirectory`). */
  readonly dataDirectory: string;
  /** Below it, in `.dataspace`, the server's programs are installed; all data directories share them. */
  readonly checkoutDirectory: string;
  readonly report: (line: string) => void;
  /** PostgreSQL settings that replace the defaults below. */
  readonly settings?: Readonly<Record<string, string>>;
  /** A server that does not answer for this long is restarted; 10 by default. */
  readonly silenceLimitSeconds?: number;
}

/** An embedded PostgreSQL, running until it is disposed of. */
export interface EmbeddedPostgres extends AsyncDisposable {
  /** Address of the maintenance database. On a loopback port it contains the password: never print it. */
  readonly url: string;
  /** The directory with the data: the data directory, or one that the server's user can reach. */
  readonly place: string;
  readonly pid: number;
  /** Creates a database unless it exists. Out: its address. */
  readonly createDatabaseIfMissing: (name: string) => Promise<string>;
  /** Resolves when the server is down permanently; until then it is restarted whenever it ends. */
  readonly stopped: Promise<void>;
}

const CLUSTER = "postgres";
/**
 * In the data directory: the actual place of the data, so that a later start never mistakes a lost place for a first
 * start.
 */
const PLACE_RECORD = "postgres-place";
const SILENCE_LIMIT_SECONDS = 10;
const STATEMENT_LIMIT_MS = 30_000;
const DUPLICATE_DATABASE = "42P04";
const FILE_FAULTS = new Set(["EACCES", "EPERM", "EROFS", "ENOSPC", "EDQUOT", "EIO"]);

/** Durability first. Failed statements are not logged with their values, because those are people's data. */
const SETTINGS: Readonly<Record<string, string>> = {
  fsync: "on",
  full_page_writes: "on",
  synchronous_commit: "on",
  shared_buffers: "256MB",
  min_wal_size: "160MB",
  wal_level: "replica",
  max_wal_senders: "0",
  jit: "off",
  timezone: "UTC",
  log_timezone: "UTC",
  log_min_messages: "log",
  log_error_verbosity: "terse",
  log_min_error_statement: "panic",
  log_checkpoints: "off",
  unix_socket_permissions: "0700",
  logging_collector: "off",
};

/**
 * Starts the PostgreSQL 18 from npm on data in one directory, which the first start creates: UTF-8 with the builtin
 * C.UTF-8 locale, data checksums, fsync on. As root it runs as `nobody`. Where that user cannot reach the data
 * directory, the data are stored elsewhere, which is reported.
 *
 * Refuses: StartupError 78 naming the directory (no space, damaged, another version or user) or DATABASE_URL (no
 * PostgreSQL for this platform), 75 when another process uses the data. It never deletes or recreates data.
 * Source: decision P4.
 */
export async function startEmbeddedPostgres(config: EmbeddedPostgresConfig): Promise<EmbeddedPostgres> {
  try {
    return await start(config);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (!FILE_FAULTS.has(code ?? "")) throw error;
    throw new StartupError(`DS_DATA_DIR: the files in ${config.dataDirectory} cannot be used (${message}).`);
  }
}

async function start(config: EmbeddedPostgresConfig): Promise<EmbeddedPostgres> {
  await using resources = new AsyncDisposableStack();
  const { place, user } = await findPlace(config.dataDirectory, config.report);
  resources.use(await lockDirectory(place, "postgres-lock"));
  await assertSpace(place);
  const binaries = installBinaries(listPlaces(join(await realpath(config.checkoutDirectory), ".dataspace")), user);
  const cluster = join(place, CLUSTER);
  const passwordFile = join(place, "postgres-password");
  await prepareCluster({ cluster, passwordFile, binaries, user });
  if (place !== config.dataDirectory) recordPlace(config.dataDirectory, place);
  const address = await chooseAddress({ place, passwordFile, user });
  const url = address.urlOf("postgres");
  const settings = { ...SETTINGS, ...config.settings, ...address.settings };
  const logFile = join(place, "postgres.log");
  const startOnce = () => startServer({ cluster, binaries, user, logFile, settings, url, report: config.report });
  const silenceLimitSeconds = config.silenceLimitSeconds ?? SILENCE_LIMIT_SECONDS;
  const supervision = { start: startOnce, url, report: config.report, silenceLimitSeconds };
  const server = resources.use(await superviseServer(supervision));
  const held = resources.move();
  return {
    url,
    place,
    get pid() {
      return server.pid();
    },
    stopped: server.stopped,
    createDatabaseIfMissing: (name) => createDatabaseIfMissing(url, name, address.urlOf(name)),
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

async function findPlace(
  dataDirectory: string,
  report: (line: string) => void,
): Promise<{ readonly place: string; readonly user: ServerUser | undefined }> {
  await mkdir(dataDirectory, { recursive: true, mode: 0o700 });
  const used = findUsedPlace(dataDirectory);
  if (used !== undefined) {
    if (used !== dataDirectory) report(`The data are in ${used}.`);
    if (!isSafePlace(used)) {
      throw new StartupError(
        `DS_DATA_DIR: ${used} is a symbolic link, or another user owns it or may write in it. Nothing in it was used.`,
      );
    }
    const user = ownerOf(join(used, CLUSTER));
    isFitPlace(used, user);
    return { place: used, user };
  }
  const user = findServerUser();
  const places = listPlaces(dataDirectory);
  const place = places.find((candidate) => isFitPlace(candidate, user));
  if (place === undefined) {
    throw new StartupError(
      `DS_DATA_DIR: PostgreSQL's user can use none of ${places.join(", ")}. Choose another directory.`,
    );
  }
  if (place !== dataDirectory) reportOtherPlace(place, places, report);
  return { place, user };
}

function findUsedPlace(dataDirectory: string): string | undefined {
  if (existsSync(join(dataDirectory, CLUSTER))) return dataDirectory;
  const record = join(dataDirectory, PLACE_RECORD);
  if (!existsSync(record)) return undefined;
  const place = readFileSync(record, "utf8").trim();
  if (existsSync(join(place, CLUSTER))) return place;
  throw new StartupError(
    `DS_DATA_DIR: the data of ${dataDirectory} were stored in ${place} and are no longer there. Bring them back, or delete ${record} to begin with nothing.`,
  );
}

// Written atomically: every later start would mistake half a path for lost data.
function recordPlace(dataDirectory: string, place: string): void {
  const record = join(dataDirectory, PLACE_RECORD);
  writeFileSync(`${record}.new`, place, { flush: true });
  renameSync(`${record}.new`, record);
}

function ownerOf(cluster: string): ServerUser | undefined {
  const { uid, gid } = statSync(cluster);
  const ourUid = process.getuid?.() ?? 0;
  if (ourUid === 0 && uid !== 0) return { uid, gid };
  if (ourUid === uid && ourUid !== 0) return undefined;
  if (ourUid === 0) return findServerUser();
  throw new StartupError(
    `DS_DATA_DIR: ${cluster} belongs to the user with number ${uid}. Start as that user or as root.`,
  );
}

function reportOtherPlace(place: string, places: readonly string[], report: (line: string) => void): void {
  report(`The data are in ${place}, because the user that PostgreSQL runs as cannot reach ${places[0]}.`);
  if (place === places.at(-1)) report("That is the temporary folder: it may not outlive a restart of this machine.");
}

async function createDatabaseIfMissing(serverUrl: string, name: string, url: string): Promise<string> {
  const config = { url: serverUrl, timeoutMs: STATEMENT_LIMIT_MS };
  const text = "select 1 from pg_database where datname = $1";
  if ((await runOneStatement(config, { text, values: [name] })).length > 0) return url;
  try {
    await runOneStatement(config, { text: `create database "${name.replaceAll('"', '""')}"`, values: [] });
  } catch (error) {
    if ((error as { readonly code?: string }).code !== DUPLICATE_DATABASE) throw error;
  }
  return url;
}
