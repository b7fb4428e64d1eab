import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createHandshakes, type HandshakeConfig } from "@dataspace/platform-auth/http/handshakes";
import { type EName, parseEName } from "@dataspace/protocol/ename";
import { DOMAIN_BY_ONTOLOGY } from "@dataspace/protocol/ontology-domain";
import { decodePublicKey } from "@dataspace/protocol/public-key";
import { type Clock, systemClock } from "@dataspace/service-kit/clock";
import { createLog, type Log } from "@dataspace/service-kit/log";
import { listenWithAdmin } from "@dataspace/service-kit/monitoring/listen-with-admin";
import { createMetrics } from "@dataspace/service-kit/monitoring/metrics";
import { createSecret } from "@dataspace/service-kit/secret";
import { openTestDatabase, TEST_SERVER_SETTING, type TestDatabase } from "@dataspace/service-kit/testing/test-database";
import type { Fetch } from "@dataspace/clients/timed-fetch";
import type { Database } from "@dataspace/service-kit/postgres/database";
import { createAwarenessPart } from "../../src/awareness-part.ts";
import type { SessionClaim } from "../../src/caller/platform-session.ts";
import type { VaultServiceConfig } from "../../src/config.ts";
import type { BlobStore } from "../../src/files/blob-store.ts";
import { openDirectoryBlobStore } from "../../src/files/directory-blob-store.ts";
import { vaultHandshakes } from "../../src/handshake-service.ts";
import type { IdePeople } from "../../src/ide/ide-people.ts";
import { vaultMigrations } from "../../src/migrations.ts";
import { createVaultServer, type VaultLimits, type VaultServerConfig } from "../../src/server.ts";
import { createVault } from "../../src/store/vault-rows.ts";
import { type RegistryStub, startRegistryStub } from "./start-registry-stub.ts";

/** A vault on a free port with a database of its own, and the registry's key in the test's hands. */
export interface TestVault extends AsyncDisposable {
  readonly url: string;
  /** Where /metrics and /readyz are; its values are read again each time. */
  readonly adminUrl: string;
  readonly database: TestDatabase;
  /** Where its files lie, unless the test brought a store. */
  readonly filesDirectory: string;
  /** Makes a vault for a new owner, with the given public key if any. */
  readonly createOwner: (publicKey?: string) => Promise<EName>;
  /** Signs a token as the registry does. */
  readonly signAsRegistry: (payload: object, header?: object) => string;
  readonly registry: RegistryStub;
  /** What sessions have proven, by owner and token, such as `@... dss_...`. */
  readonly sessions: Map<string, SessionClaim>;
  /** Every route that the server has, such as `GET /logs`. */
  readonly routes: readonly string[];
}

const DISPATCHER_DATABASE = {
  maxConnections: 3,
  statementTimeoutMs: 2_000,
  connectTimeoutMs: 5_000,
  applicationName: "test-dispatcher",
};
/** No rate limit and no quota. */
export const NO_LIMITS: VaultLimits = {
  perAddress: 0,
  perCaller: 0,
  anonymous: 0,
  recordsPerOwner: 0,
  bytesPerOwner: 0,
  guestRecordsPerOwner: 0,
  guestBytesPerOwner: 0,
};

const SILENT_LOG = createLog({ service: "vault", level: "silent", pretty: false });

/** What a vault may have in common with another: registry, database, how it sees that, files, and time; and its log, else none. */
export interface SharedParts {
  readonly registry?: RegistryStub;
  readonly database?: TestDatabase;
  readonly seenAs?: (database: Database) => Database;
  readonly clock?: Clock;
  readonly log?: Log;
  readonly blobs?: BlobStore;
}

/** What a test may set of a vault's configuration. */
type Changes = Partial<VaultServerConfig & Pick<VaultServiceConfig, "awareness">> & {
  readonly handshakes?: Partial<HandshakeConfig>;
  readonly idePeople?: IdePeople;
};

/** Starts a vault. In: what differs from `DS_VAULT_AUTH=header` with legacy tokens accepted. */
export async function startVault(
  { awareness, handshakes: handshakeChanges, idePeople, ...changes }: Changes = {},
  shared: SharedParts = {},
): Promise<TestVault> {
  const { registry: given, seenAs = (seen) => seen, clock = systemClock, log = SILENT_LOG } = shared;
  await using stack = new AsyncDisposableStack();
  const database =
    shared.database ?? stack.use(await openTestDatabase(process.env[TEST_SERVER_SETTING], vaultMigrations));
  const directory = await mkdtemp(join(tmpdir(), "vault-files-"));
  stack.defer(() => rm(directory, { recursive: true, force: true }));
  const blobs = shared.blobs ?? (await openDirectoryBlobStore(directory, "DS_FILES"));
  let listensAt = "";
  const sessions: TestVault["sessions"] = new Map();
  const registry = given ?? stack.use(await startRegistryStub());
  let asked = 0;
  const metrics = createMetrics({ log, monotonicMs: () => 60_000 * asked++ });
  const seen = seenAs(database);
  const isWatched = shared.seenAs !== undefined || clock !== systemClock;
  const databaseConfig = isWatched ? undefined : { url: database.url, ...DISPATCHER_DATABASE };
  const part = registry.partFor(clock);
  const trusted = { guardedFetch: fetch as Fetch, registryKeys: { verify: part.verifySignature } };
  const handshakes = createHandshakes(
    { database: seen, clock, log, ...trusted, findCertifiedKeys: part.findCertifiedKeys },
    vaultHandshakes,
    { trustedCertifierIssuers: [], challengeSeconds: 120, requireBinding: false, perAddress: 0, ...handshakeChanges },
  );
  const app = createVaultServer(
    {
      base: { database: seen, clock, log, metrics },
      blobs,
      registry: part,
      handshakes: {
        ...handshakes,
        verifySession: async (owner, shown) => {
          const claim = sessions.get(`${owner} ${shown.token}`);
          return claim === undefined ? handshakes.verifySession(owner, shown) : { claim, proofUse: undefined };
        },
      },
      awareness: createAwarenessPart({ database: seen, databaseConfig, clock, log }, awareness),
      idePeople,
    },
    {
      auth: "header",
      legacyTokens: "accept",
      migrationPlatforms: new Set(),
      anonymousStore: "quarantine",
      domains: DOMAIN_BY_ONTOLOGY,
      unpagedCap: 10_000,
      publicUrl: () => listensAt,
      secret: createSecret("a secret that only this test knows, 0123456789"),
      serviceToken: createSecret("service-token-of-this-test-0123456789"),
      cors: { origins: "any" },
      introspection: true,
      ide: false,
      limits: NO_LIMITS,
      compileFrom: Number(process.env["DS_TEST_COMPILE_FROM"] ?? 3),
      ...changes,
    },
  );
  const parts = { name: "vault", service: app, database: seen, metrics, log };
  const place = { host: "127.0.0.1", port: 0, portSetting: "DS_VAULT_PORT" };
  const { url, adminUrl } = await listenWithAdmin(stack, parts, place);
  listensAt = url;
  const owned = stack.move();
  return {
    url,
    adminUrl,
    routes: listRoutes(app.printRoutes({ commonPrefix: false })),
    database,
    filesDirectory: directory,
    createOwner: async (publicKey) => {
      const owner = await createOwner(database, publicKey);
      registry.addresses.set(owner, url);
      return owner;
    },
    signAsRegistry: registry.sign,
    registry,
    sessions,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

async function createOwner(database: TestDatabase, publicKey: string | undefined): Promise<EName> {
  const owner = parseEName(randomUUID());
  const key = publicKey === undefined ? undefined : { text: publicKey, point: pointHex(publicKey) };
  const at = new Date().toISOString();
  await database.transaction((tx) => createVault(tx, { owner, vaultId: `@${randomUUID()}`, publicKey: key, at }));
  return owner;
}

function pointHex(publicKey: string): string {
  return Buffer.from(decodePublicKey(publicKey).point).toString("hex");
}

/** Reads the routes out of the tree that Fastify prints: `├── /graphiql (GET, HEAD)`, four characters deeper for each part. */
function listRoutes(tree: string): readonly string[] {
  const parts: string[] = [];
  return tree.split("\n").flatMap((line) => {
    const [, indent = "", part = "", methods = ""] = /^(.*?)[├└]── (\S+)(?: \((.+)\))?$/.exec(line) ?? [];
    if (part === "") return [];
    parts.splice(indent.length / 4, parts.length, part);
    return methods === "" ? [] : methods.split(", ").map((method) => `${method} ${parts.join("")}`);
  });
}
