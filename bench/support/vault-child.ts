// The vault in a process of its own, put together as the service does, with the pool and the limits that are stated.
import { randomUUIDv7 } from "node:crypto";
import { type CompactJws, parseCompactJws } from "@dataspace/protocol/compact-jws";
import { parseEName } from "@dataspace/protocol/ename";
import { DOMAIN_BY_ONTOLOGY } from "@dataspace/protocol/ontology-domain";
import { systemClock } from "@dataspace/service-kit/clock";
import { listen } from "@dataspace/service-kit/http/listen";
import { createLog } from "@dataspace/service-kit/log";
import { createMetrics } from "@dataspace/service-kit/monitoring/metrics";
import { type Database, openDatabase, type Statement } from "@dataspace/service-kit/postgres/database";
import { createSecret } from "@dataspace/service-kit/secret";
import { createGuard } from "@dataspace/vault/access/guard";
import { createAwarenessPart } from "@dataspace/vault/awareness-part";
import { createCreationOrder } from "@dataspace/vault/meta-envelopes/creation-order";
import { createMetaEnvelope } from "@dataspace/vault/operations/mutations/create-meta-envelope";
import { createVaultServer } from "@dataspace/vault/server";
import { createUnderOwnerLock } from "@dataspace/vault/store/owner-lock";
import { createWithinQuota } from "@dataspace/vault/store/record-quota";
import type { Caller } from "@dataspace/vault/caller/caller";
import type { DirectRun, VaultStart } from "./bench-vault.ts";
import { answerParent } from "./child.ts";
import type { LoadResult } from "./load-process.ts";
import { percentile } from "./statistics.ts";

let database: Database | undefined;
let statements = 0;
let transactions = 0;
let close: () => Promise<void> = async () => undefined;

answerParent(
  {
    start: (config: VaultStart) => start(config),
    counts: async () => ({ statements, transactions }),
    createDirectly: (run: DirectRun) => createDirectly(run),
  },
  () => close(),
);

// The quotas are on, so that their cost is measured.
const QUOTAS = {
  recordsPerOwner: 2_000_000,
  bytesPerOwner: 1_048_576 * 10_240,
  guestRecordsPerOwner: 10_000,
  guestBytesPerOwner: 1_048_576 * 100,
};

// A bench has no registry: nothing is certified, a platform token counts as signed, and an eName without a vault is nobody.
const registry = {
  questions: { countRequests: () => undefined, countFor: () => undefined },
  certifyKey: () => Promise.reject(new Error("nothing is certified in a bench")),
  verifySignature: async (token: string | CompactJws) => (typeof token === "string" ? parseCompactJws(token) : token),
  resolve: () => Promise.resolve(undefined),
  isKnown: () => Promise.resolve(false),
  findCertifiedKeys: () => Promise.reject(new Error("no token is verified in a bench")),
};

// Every session is found at once, and certified for everything.
const claim = {
  platform: parseEName("5c0e1b52-6b0a-4d0f-9d8e-2f5b7a1c9e01"),
  deployment: parseEName("5c0e1b52-6b0a-4d0f-9d8e-2f5b7a1c9e02"),
  version: "1.0.0",
  level: "L5",
  domains: [...new Set(DOMAIN_BY_ONTOLOGY.values())],
  issuer: "https://ppa.example",
  certificateId: "bench",
} as const;
const handshakes = {
  serve: () => undefined,
  verifySession: async () => ({ claim, proofUse: undefined }),
  sweeps: [],
};

async function start({
  databaseUrl,
  poolSize,
  compileFrom,
  awareness,
}: VaultStart): Promise<{ readonly port: number }> {
  const log = createLog({ service: "vault", level: "warn", pretty: false });
  const metrics = createMetrics({ log, monotonicMs: () => performance.now() });
  const limits = { statementTimeoutMs: 30_000, connectTimeoutMs: 10_000 };
  const databaseConfig = { url: databaseUrl, maxConnections: poolSize, applicationName: "dataspace-vault", ...limits };
  const opened = openDatabase(databaseConfig, (error) => log.error({ err: error }, "an idle connection failed"));
  database = countStatements(opened);
  const none = () => Promise.reject(new Error("no file is uploaded in a bench"));
  const noBlobs = { put: none, get: none, delete: none };
  const events = awareness ? { url: awareness.url, secret: createSecret(awareness.secret) } : undefined;
  const base = { database, clock: systemClock, log, metrics };
  const app = createVaultServer(
    { handshakes, base, blobs: noBlobs, registry, awareness: createAwarenessPart({ ...base, databaseConfig }, events) },
    {
      auth: "header",
      legacyTokens: "accept",
      migrationPlatforms: new Set(),
      anonymousStore: "quarantine",
      domains: DOMAIN_BY_ONTOLOGY,
      unpagedCap: 10_000,
      publicUrl: () => "",
      secret: createSecret("a secret of the bench alone, 0123456789abcdef"),
      serviceToken: undefined,
      cors: { origins: "any" },
      introspection: false,
      ide: false,
      // One load process would soon use up any rate.
      limits: { perAddress: 0, perCaller: 0, anonymous: 0, ...QUOTAS },
      compileFrom: compileFrom ?? Number.POSITIVE_INFINITY,
    },
  );
  close = async () => {
    await app.close();
    await opened[Symbol.asyncDispose]();
  };
  return listen(app, { host: "127.0.0.1", port: 0, portSetting: "DS_VAULT_PORT" });
}

function countStatements(counted: Database): Database {
  return {
    ...counted,
    query: <Row>(statement: Statement) => {
      statements += 1;
      return counted.query<Row>(statement);
    },
    transaction: (work) => {
      transactions += 1;
      return counted.transaction(work);
    },
  };
}

/** Runs the create operation itself, without HTTP and GraphQL, `concurrency` at a time. */
async function createDirectly({ owners, inputs, concurrency, durationMs }: DirectRun): Promise<LoadResult> {
  if (database === undefined) throw new Error("start first");
  const hasSigned = () => Promise.resolve(false);
  const notMeasured = () => Promise.reject(new Error("nothing is signed in a bench"));
  const deps = {
    writes: {
      guard: createGuard(
        { database, clock: systemClock, newUuid: randomUUIDv7, ...registry, hasSigned },
        { domains: DOMAIN_BY_ONTOLOGY },
      ),
      store: {
        database,
        underOwnerLock: createUnderOwnerLock(database),
        withinQuota: createWithinQuota({ clock: systemClock }, QUOTAS),
      },
      ids: { newUuid: () => randomUUIDv7(), creationOrder: createCreationOrder(systemClock) },
      clock: systemClock,
      announce: () => {},
      warn: () => {},
    },
    signatures: { verifyOwnerPolicy: notMeasured, verifyDocumentSignature: notMeasured },
  };
  const callers = owners.map(ownerAsCaller);
  const latenciesMs: number[] = [];
  const startMs = performance.now();
  async function createUntil(untilMs: number): Promise<void> {
    let sentMs = performance.now();
    while (sentMs < untilMs) {
      await createMetaEnvelope(deps, pick(callers), pick(inputs));
      const nowMs = performance.now();
      latenciesMs.push(nowMs - sentMs);
      sentMs = nowMs;
    }
  }
  await Promise.all(Array.from({ length: concurrency }, () => createUntil(startMs + durationMs)));
  return {
    operations: latenciesMs.length,
    elapsedMs: performance.now() - startMs,
    p50Ms: percentile(latenciesMs, 0.5),
    p99Ms: percentile(latenciesMs, 0.99),
  };
}

function ownerAsCaller(owner: Caller["owner"]): Caller {
  return {
    owner,
    principal: { kind: "person", ename: owner },
    credential: "asserted",
    subject: null,
    platform: null,
    author: null,
    onBehalfOf: null,
    tokenUse: undefined,
  };
}

function pick<Item>(items: readonly Item[]): Item {
  return items[Math.floor(Math.random() * items.length)] as Item;
}
