import { type Database, openDatabase } from "@dataspace/service-kit/postgres/database";
import { readSettings } from "@dataspace/service-kit/settings/settings";
import { StartupError } from "@dataspace/service-kit/startup-error";
import { openDataDirectory } from "@dataspace/service-kit/storage/data-directory";
import { openStorage } from "@dataspace/service-kit/storage/storage";
import { findRecordedStorage } from "@dataspace/service-kit/storage/storage-record";
import { storageSettings, toServiceStorage } from "@dataspace/service-kit/storage/storage-settings";
import { CHECKOUT_DIRECTORY, findDataDirectory } from "@dataspace/system/checkout";
import { vaultSettings } from "@dataspace/vault/vault-settings";

/** Settings by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

interface Deps {
  readonly report: (line: string) => void;
}

const IN_USE = 75;
const STATEMENT_TIMEOUT_MS = 10_000;
const CONNECT_TIMEOUT_MS = 5_000;
const ANSWER_LIMIT_MS = 2_000;
/** Where a development stack receives provisioning requests by default. */
const VAULT_PORT = { DS_VAULT_PORT: vaultSettings.DS_VAULT_PORT };

/**
 * Runs an operator's work on the configured storage: the server of DATABASE_URL, the embedded server that is running on
 * the data directory, or otherwise a temporarily started one.
 *
 * Refuses: StartupError 78 for storage and settings; 75 for a data directory in use by a process that recorded no
 * address, and while a data space with another data directory runs on the vault's port, because it would not see what
 * is written here.
 * Source: decisions I6, V17.
 */
export async function withConfiguredDatabase<T>(
  env: Environment,
  deps: Deps,
  work: (database: Database, url: string) => Promise<T>,
): Promise<T> {
  await using opened = new AsyncDisposableStack();
  const url = await openStorageUrl(opened, env, deps);
  const pool = {
    url,
    maxConnections: 1,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    applicationName: "dataspace-operator",
  };
  return await work(opened.use(openDatabase(pool, () => undefined)), url);
}

async function openStorageUrl(opened: AsyncDisposableStack, env: Environment, deps: Deps): Promise<string> {
  const dataDirectory = findDataDirectory(env);
  const config = {
    ...toServiceStorage(readSettings(storageSettings, env)),
    dataDirectory,
    checkoutDirectory: CHECKOUT_DIRECTORY,
    report: deps.report,
  };
  if (config.databaseUrl !== undefined) return opened.use(await openStorage(config)).url;
  try {
    const { path } = opened.use(await openDataDirectory(dataDirectory, deps));
    await assertNoOtherRuns(env, path);
    return opened.use(await openStorage({ ...config, dataDirectory: path })).url;
  } catch (error) {
    const running = error instanceof StartupError && error.exitCode === IN_USE;
    const url = running ? findRecordedStorage(dataDirectory) : undefined;
    if (url === undefined) throw error;
    return url;
  }
}

async function assertNoOtherRuns(env: Environment, directory: string): Promise<void> {
  const { DS_VAULT_PORT: port } = readSettings(VAULT_PORT, env);
  if (port === 0 || !(await hasVault(`http://127.0.0.1:${port}`))) return;
  throw new StartupError(
    `A data space runs at http://127.0.0.1:${port} with another data directory than ${directory}. Set DS_DATA_DIR or DATABASE_URL as it has it, or stop it.`,
    IN_USE,
  );
}

async function hasVault(url: string): Promise<boolean> {
  try {
    const answer = await fetch(`${url}/schema.graphql`, {
      method: "HEAD",
      signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
    });
    return answer.ok;
  } catch {
    return false;
  }
}
