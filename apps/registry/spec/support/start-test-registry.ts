import { generateKeyPairSync } from "node:crypto";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";
import { createLog } from "@dataspace/service-kit/log";
import { createMetrics } from "@dataspace/service-kit/monitoring/metrics";
import { openDatabase } from "@dataspace/service-kit/postgres/database";
import { readSigningKeys, type SigningKeys } from "@dataspace/service-kit/published-keys/signing-keys";
import { createSecret } from "@dataspace/service-kit/secret";
import { openTestDatabase, TEST_SERVER_SETTING } from "@dataspace/service-kit/testing/test-database";
import type { Fetch } from "@dataspace/clients/timed-fetch";
import { registryMigrations } from "../../src/migrations.ts";
import { createRegistryServer, type RegistryConfig } from "../../src/server.ts";
import type { JWK } from "jose";

/** The shared secret of the registries in these tests. */
export const SHARED_SECRET = "a-secret-between-the-parties-of-a-test";

/** The options of a test registry; a restart on the same database takes that database's URL. */
export interface TestRegistryOptions extends Partial<Omit<RegistryConfig, "signingKeys" | "sharedSecret">> {
  readonly signingKey?: unknown;
  readonly nowMs?: () => number;
  readonly databaseUrl?: string;
}

/** Starts a registry on a free port with its own database, until the test ends. */
export async function startTestRegistry(
  t: TestContext,
  options: TestRegistryOptions = {},
): Promise<{ readonly url: string; readonly databaseUrl: string }> {
  const databaseUrl = options.databaseUrl ?? (await openMigratedDatabase(t));
  const database = connect(databaseUrl);
  t.after(() => database[Symbol.asyncDispose]());
  const clock = { nowMs: options.nowMs ?? Date.now };
  const log = createLog({ service: "registry", level: "silent", pretty: false });
  const metrics = createMetrics({ log, monotonicMs: () => performance.now() });
  let listensAt = "";
  const app = await createRegistryServer(
    { database, clock, log, metrics, guardedFetch: fetch as Fetch },
    {
      signingKeys: toSigningKeys(options.signingKey ?? createJwk()),
      sharedSecret: createSecret(SHARED_SECRET),
      legacyMint: options.legacyMint ?? true,
      cors: options.cors ?? { origins: "any" },
      limits: options.limits ?? { perAddress: 0, anonymous: 0 },
      trustedProxies: options.trustedProxies ?? [],
      publicUrl: options.publicUrl ?? (() => listensAt),
    },
  );
  t.after(() => app.close());
  await app.listen({ host: "127.0.0.1", port: 0 });
  listensAt = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  return { url: listensAt, databaseUrl };
}

/** Makes a private P-256 JWK. */
export function createJwk(): JWK {
  return generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" }) as JWK;
}

function toSigningKeys(setting: unknown): SigningKeys {
  const reading = readSigningKeys(JSON.stringify(setting));
  if ("fault" in reading) throw new Error(reading.fault);
  return reading.keys;
}

async function openMigratedDatabase(t: TestContext): Promise<string> {
  const database = await openTestDatabase(process.env[TEST_SERVER_SETTING], registryMigrations);
  t.after(() => database[Symbol.asyncDispose]());
  return database.url;
}

function connect(url: string): ReturnType<typeof openDatabase> {
  return openDatabase(
    { url, maxConnections: 4, statementTimeoutMs: 10_000, connectTimeoutMs: 5_000, applicationName: "registry-test" },
    () => {},
  );
}
