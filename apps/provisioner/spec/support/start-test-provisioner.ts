import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";
import { createRegistryWriter } from "@dataspace/clients/registry-writer";
import { createRemoteKeySet } from "@dataspace/clients/remote-key-set";
import { createHttpServer } from "@dataspace/service-kit/http/http-server";
import { createLog } from "@dataspace/service-kit/log";
import { openTestDatabase, TEST_SERVER_SETTING } from "@dataspace/service-kit/testing/test-database";
import type { Database } from "@dataspace/service-kit/postgres/database";
import { provisionerMigrations } from "../../src/migrations.ts";
import { createProvisionerPlugin } from "../../src/plugin.ts";
import type { NewVault, ProvisionerConfig, ProvisionerDeps } from "../../src/provisioner.ts";
import { SHARED_SECRET, type StubRegistry, startStubRegistry } from "./start-stub-registry.ts";

/** The base address of vaults created in these tests. */
export const VAULT_URL = "http://127.0.0.1:4000";

/** A provisioner under test, its database, and its registry. */
export interface TestProvisioner {
  readonly url: string;
  readonly registry: StubRegistry;
  readonly deps: ProvisionerDeps;
  readonly vaults: () => Promise<readonly TestVault[]>;
}

/** A row of the stand-in for the vault's tables. */
export interface TestVault {
  readonly owner: string;
  readonly vaultId: string;
  readonly publicKey: string | null;
  readonly point: Buffer | null;
}

/** Starts a provisioner on a free port with its own database, until the test ends. */
export async function startTestProvisioner(
  t: TestContext,
  options: Partial<ProvisionerConfig & Pick<ProvisionerDeps, "clock" | "createVault" | "warmCertificate">> = {},
): Promise<TestProvisioner> {
  const { clock = { nowMs: Date.now }, createVault = insertVault, warmCertificate, ...config } = options;
  const registry = await startStubRegistry(t);
  const database = await openMigratedDatabase(t);
  const keySetUrl = `${registry.url}/.well-known/jwks.json`;
  const deps: ProvisionerDeps = {
    database,
    clock,
    log: createLog({ service: "provisioner", level: "silent", pretty: false }),
    registry: {
      keys: createRemoteKeySet({ fetch, clock }, { keySetUrl }),
      ...createRegistryWriter({ fetch }, { registryUrl: registry.url, sharedSecret: SHARED_SECRET }),
    },
    createVault,
    ...(warmCertificate === undefined ? {} : { warmCertificate }),
  };
  const app = createHttpServer({
    log: deps.log,
    bodyLimitBytes: 1_048_576,
    cors: { origins: "any" },
    allowedHeaders: ["Content-Type"],
  });
  app.register(
    createProvisionerPlugin(deps, { publicVaultUrl: VAULT_URL, demoCode: true, provisionsPerAddress: 0, ...config }),
  );
  await app.listen({ host: "127.0.0.1", port: 0 });
  t.after(() => app.close());
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/provision`;
  return { url, registry, deps, vaults: () => listVaults(database) };
}

// Stands in for the vault, which owns these tables.
async function insertVault(transaction: Parameters<ProvisionerDeps["createVault"]>[0], vault: NewVault): Promise<void> {
  await transaction.query({
    text: "insert into test_vault (owner, vault_id, public_key, point) values ($1, $2, $3, $4)",
    values: [vault.owner, vault.vaultId, vault.publicKey?.text, vault.publicKey && Buffer.from(vault.publicKey.point)],
  });
}

async function listVaults(database: Database): Promise<readonly TestVault[]> {
  const text = `select owner, vault_id as "vaultId", public_key as "publicKey", point from test_vault`;
  return (await database.query<TestVault>({ text, values: [] })).rows;
}

async function openMigratedDatabase(t: TestContext): Promise<Database> {
  const database = await openTestDatabase(process.env[TEST_SERVER_SETTING], provisionerMigrations);
  t.after(() => database[Symbol.asyncDispose]());
  const text = "create table test_vault (owner text primary key, vault_id text not null, public_key text, point bytea)";
  await database.query({ text, values: [] });
  return database;
}
