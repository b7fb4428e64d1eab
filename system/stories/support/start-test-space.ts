import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLog } from "@dataspace/service-kit/log";
import { openTestDatabase, TEST_SERVER_SETTING } from "@dataspace/service-kit/testing/test-database";
import { type Constellation, startConstellation } from "../../constellation.ts";
import type { Environment } from "../../service.ts";

/** A place where constellations of one story run, one after the other: a database and a data directory of its own. */
export interface TestHome extends AsyncDisposable {
  readonly env: Environment;
  /** Starts a constellation on free ports, with other settings if any. */
  readonly start: (changes?: Environment) => Promise<Constellation>;
}

/** Makes a home for a story. */
export async function openTestHome(): Promise<TestHome> {
  await using opened = new AsyncDisposableStack();
  const database = opened.use(await openTestDatabase(process.env[TEST_SERVER_SETTING]));
  const dataDirectory = await mkdtemp(join(tmpdir(), "dataspace-story-"));
  opened.defer(() => rm(dataDirectory, { recursive: true, force: true }));
  const env = {
    DATABASE_URL: database.url,
    DS_DATA_DIR: dataDirectory,
    DS_REGISTRY_PORT: "0",
    DS_AUTHORITY_PORT: "0",
    DS_VAULT_PORT: "0",
    DS_AWARENESS_PORT: "0",
    DS_OIDC_PORT: "0",
    DS_SANDBOX_PORT: "0",
  };
  const deps = {
    report: () => undefined,
    createLog: (service: string) => createLog({ service, level: "silent", pretty: false }),
  };
  const owned = opened.move();
  return {
    env,
    start: (changes = {}) => startConstellation({ ...env, ...changes }, deps),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** A home with one constellation running in it. */
export async function startTestSpace(changes: Environment = {}): Promise<Constellation> {
  await using opened = new AsyncDisposableStack();
  const home = opened.use(await openTestHome());
  const constellation = opened.use(await home.start(changes));
  const owned = opened.move();
  return { ...constellation, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
