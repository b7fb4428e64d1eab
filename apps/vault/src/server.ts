import { mountReference } from "@dataspace/api-reference/reference";
import { createVerifyEcdsa } from "@dataspace/clients/verify-ecdsa";
import { createHttpServer } from "@dataspace/service-kit/http/http-server";
import { limitAddresses } from "@dataspace/service-kit/http/rate-limits";
import { addReadinessCheck } from "@dataspace/service-kit/monitoring/readiness";
import { countRequests } from "@dataspace/service-kit/monitoring/request-metrics";
import { type Sweep, sweepWhileServing } from "@dataspace/service-kit/run/sweep-while-serving";
import { startWatchdog, type Watchdog } from "@dataspace/service-kit/run/watchdog";
import { createTimeOrderedIds } from "@dataspace/service-kit/time-ordered-ids";
import { mountUi } from "@dataspace/ui/mount-ui";
import { createUi } from "@dataspace/ui/ui";
import type { LaneRunner } from "@dataspace/lanes/lane-runner";
import type { Handshakes } from "@dataspace/platform-auth/http/handshakes";
import type { CrossOriginPolicy } from "@dataspace/service-kit/http/cross-origin";
import type { Log } from "@dataspace/service-kit/log";
import type { ServiceBase } from "@dataspace/service-kit/run/service-base";
import type { Secret } from "@dataspace/service-kit/secret";
import type { AwarenessPart } from "./awareness-part.ts";
import { invalidToken } from "./caller/bearer-token.ts";
import { createIdentifyCaller, type IdentifyCallerConfig } from "./caller/identify-caller.ts";
import type { VerifyPlatformSession } from "./caller/platform-session.ts";
import { createVerifyPlatformToken, type PlatformTokenConfig } from "./caller/platform-token.ts";
import { createVerifyAtVault } from "./caller/wallet-token.ts";
import { mountExitDoors } from "./exit-doors.ts";
import { createBlobAddresses } from "./files/blob-addresses.ts";
import type { BlobStore } from "./files/blob-store.ts";
import { createDescribeOperation } from "./graphql/describe-operation.ts";
import { createExecuteRequest } from "./graphql/execute.ts";
import { createPrepareDocument } from "./graphql/prepare-document.ts";
import { buildVaultSchema } from "./graphql/schema.ts";
import { addressedVault, type FindVault } from "./http/addressed-request.ts";
import { createAnswerOnce } from "./http/answer-once.ts";
import { createLimitCaller } from "./http/caller-limits.ts";
import { mountDocuments } from "./http/documents.ts";
import { mountFiles } from "./http/files.ts";
import { mountGraphQL } from "./http/graphql.ts";
import { mountIde } from "./http/ide.ts";
import { mountIdeFiles } from "./http/ide-files-door.ts";
import { mountLogs } from "./http/logs.ts";
import { mountPlatformAccess } from "./http/platform-access.ts";
import { mountPublicKey } from "./http/public-key.ts";
import { mountStart } from "./http/start-door.ts";
import { mountWhois } from "./http/whois.ts";
import type { IdePeople } from "./ide/ide-people.ts";
import { createCertificates } from "./keys/key-binding-certificates.ts";
import { sweepRecoveryCodes } from "./keys/recovery-codes.ts";
import { createFindOrForward } from "./leaving/find-moved.ts";
import { refusingWrites } from "./leaving/refuse-writes.ts";
import { createCreationOrder } from "./meta-envelopes/creation-order.ts";
import type { AnonymousStore } from "./operations/operation-deps.ts";
import { createReadBudgets, READ_BYTES } from "./operations/read-budget.ts";
import { sweepAnswers } from "./operations/sweep-answers.ts";
import { sweepFiles } from "./operations/sweep-files.ts";
import { sweepPlatformAccess } from "./operations/sweep-platform-access.ts";
import { createUploads } from "./operations/uploads.ts";
import { measureOutbox } from "./outgoing/outbox-metrics.ts";
import { createCursorSeal } from "./paging/cursor.ts";
import { vaultApi } from "./reference/vault-api.ts";
import type { RegistryPart } from "./registry-part.ts";
import { createDecideWith, createOperationDepsFor } from "./request-operations.ts";
import { listKeysInForce } from "./store/key-rows.ts";
import { createMetaEnvelopeLoader } from "./store/meta-envelope-loader.ts";
import { createUnderOwnerLock } from "./store/owner-lock.ts";
import { createWithinQuota, type QuotaLimits } from "./store/record-quota.ts";
import { spentCallerTokens } from "./store/spent-token-rows.ts";
import { createVaultLookup } from "./store/vault-lookup.ts";
import type { FastifyInstance } from "fastify";

/** A vault's dependencies. */
export interface VaultServerDeps {
  readonly base: ServiceBase;
  readonly blobs: BlobStore;
  /** Absent: no handshake for platforms. */
  readonly handshakes?: Pick<Handshakes, "serve" | "sweeps"> & { readonly verifySession: VerifyPlatformSession };
  /** Undefined: there is no awareness service, and the events wait. */
  readonly awareness: AwarenessPart | undefined;
  readonly registry: RegistryPart;
  /** The people of the development stack, as whom the IDE signs; undefined: nobody. */
  readonly idePeople?: IdePeople | undefined;
}

/**
 * Requests a minute by source address, by caller, and of anonymous callers by source address; and the quotas of an owner; 0: no
 * limit.
 */
export interface VaultLimits extends QuotaLimits {
  readonly perAddress: number;
  readonly perCaller: number;
  readonly anonymous: number;
}

/** A vault's configuration. `compileFrom` is the execution from which on a GraphQL document runs compiled. */
export interface VaultServerConfig extends IdentifyCallerConfig, PlatformTokenConfig {
  readonly secret: Secret;
  readonly serviceToken: Secret | undefined;
  readonly cors: CrossOriginPolicy;
  readonly anonymousStore: AnonymousStore;
  /** The domain of every ontology that has one. */
  readonly domains: ReadonlyMap<string, string>;
  /** The largest result of the old lists without pages. */
  readonly unpagedCap: number;
  /**
   * The vault's own address, which the addresses of its files begin with; read at each use, since a port may be chosen
   * late.
   */
  readonly publicUrl: () => string;
  readonly introspection: boolean;
  readonly ide: boolean;
  readonly compileFrom: number;
  readonly limits: VaultLimits;
  /** The proxies whose X-Forwarded-For and X-Forwarded-Proto are read; absent: none. */
  readonly trustedProxies?: readonly string[];
}

const ACCEPTED = {
  bodyLimitBytes: 1_048_576,
  allowedHeaders: ["Content-Type", "Authorization", "X-ENAME", "X-ON-BEHALF-OF", "Idempotency-Key", "DPoP"],
};

/**
 * Builds a vault's server: its endpoints on their routes, each with exactly what it needs. It does not listen yet.
 *
 * Source: S1 "Endpoints"; decisions P5, P9, V20.
 */
export function createVaultServer(deps: VaultServerDeps, config: VaultServerConfig): FastifyInstance {
  const { blobs, awareness, registry } = deps;
  const base = { ...deps.base, database: refusingWrites(deps.base.database) };
  const { database, clock, log } = base;
  const app = createHttpServer({ ...config, ...ACCEPTED, log });
  countRequests(app, base.metrics);
  measureOutbox(base);
  limitAddresses(app, { name: "address", requests: config.limits.perAddress, windowSeconds: 60 });
  registry.questions.countRequests(app);
  const listKeys = (owner: Parameters<typeof listKeysInForce>[1]) => listKeysInForce(database, owner);
  const found = { findCertifiedKeys: registry.findCertifiedKeys };
  const findOwnVault = createVaultLookup({ database, clock });
  const findVault = createFindOrForward(database, findOwnVault);
  const verifyEcdsa = createVerifyEcdsa();
  const wallet = createVerifyAtVault({ clock, log, findVault: findOwnVault, listKeys, verifyEcdsa, ...found });
  const platform = createVerifyPlatformToken({ clock, verifySignature: registry.verifySignature }, config);
  const addressed = {
    findVault,
    identifyCaller: createIdentifyCaller(
      { wallet, platform, session: deps.handshakes?.verifySession ?? noSession },
      config,
    ),
    limitCaller: createLimitCaller(app, config.limits),
    countQuestionsFor: registry.questions.countFor,
    publicUrl: config.publicUrl,
  };
  const schema = buildVaultSchema();
  const prepare = createPrepareDocument(schema, config);
  const ids = { newUuid: createTimeOrderedIds(clock), creationOrder: createCreationOrder(clock) };
  const store = {
    database,
    underOwnerLock: createUnderOwnerLock(database),
    withinQuota: createWithinQuota({ clock }, config.limits),
  };
  const stored = { reservations: database, blobs, log };
  const uploads = createUploads({ ...stored, ...store });
  const addresses = createBlobAddresses({ clock }, { secret: config.secret.reveal(), publicUrl: config.publicUrl });
  const announce = dispatchWhileServing(app, { log, startDispatcher: awareness?.startDispatcher });
  const decideWith = createDecideWith({ database, clock, log, ...ids, verifyEcdsa }, config);
  const usual = decideWith(registry);
  const loading = {
    loadMetaEnvelope: createMetaEnvelopeLoader(database),
    cursors: createCursorSeal(config.secret.reveal()),
  };
  const reads = { ...loading, database, guard: usual.guard };
  const operationDepsFor = createOperationDepsFor(
    { usual, decideWith, reads: loading, store, writes: { ids, clock, announce }, files: { addresses, uploads } },
    config,
  );
  const openReadBudget = createReadBudgets(READ_BYTES);
  mountGraphQL(app, {
    addressed,
    execute: createExecuteRequest({ schema, prepare, log, compileFrom: config.compileFrom }),
    describeOperation: createDescribeOperation(prepare),
    answerOnce: createAnswerOnce({ database, clock, outside: registry, uploads, announce }),
    operationDepsFor,
    openReadBudget,
  });
  mountFiles(app, { addressed, fileDeps: { ...reads, blobs, addresses, log } });
  mountLogs(app, { addressed, reads, openReadBudget });
  mountPlatformAccess(app, { addressed, reads, openReadBudget });
  mountWhois(app, {
    findVault,
    certificates: createCertificates({ clock, log, listKeys, certifyKey: registry.certifyKey }),
  });
  const keyChange = { database, clock, verifyWalletToken: wallet, serviceToken: config.serviceToken };
  mountPublicKey(app, { findVault, keyChange });
  const owners = { verifyWalletToken: wallet, limitCaller: addressed.limitCaller };
  const events = { announce, reportErasure: awareness?.reportErasure };
  const { newUuid } = ids;
  mountExitDoors(app, { base, blobs, owners, newUuid, events, resolve: registry.resolve }, config);
  mountDocuments(app);
  mountPages(app, { findVault, idePeople: deps.idePeople }, config);
  warnOfHeaderTrust(app, config);
  deps.handshakes?.serve(app, { audienceOf: async (request) => (await addressedVault({ findVault }, request)).owner });
  sweepVault(app, { ...stored, database, clock }, deps.handshakes?.sweeps);
  return app;
}

/** Mounts the first page and the reference, and in development the IDE. */
function mountPages(
  app: FastifyInstance,
  deps: { readonly findVault: FindVault; readonly idePeople: IdePeople | undefined },
  config: VaultServerConfig,
): void {
  const ui = createUi();
  mountUi(app, ui);
  mountStart(app, ui, config);
  mountReference(app, { ui, api: vaultApi }, { part: "vault", publicUrl: config.publicUrl });
  if (!config.ide) return;
  mountIde(app, { ...deps, ui }, { trusts: config.auth === "header" });
  mountIdeFiles(app);
}

type SweptDeps = Parameters<typeof sweepFiles>[0] & Parameters<typeof sweepAnswers>[0];

function sweepVault(app: FastifyInstance, deps: SweptDeps, further: readonly Sweep[] = []): void {
  sweepWhileServing(app, deps.log, [
    { what: "abandoned uploads", sweep: () => sweepFiles(deps) },
    { what: "spent tokens that have expired", sweep: () => spentCallerTokens.sweep(deps.database, deps.clock.nowMs()) },
    { what: "recovery codes that have expired", sweep: () => sweepRecoveryCodes(deps) },
    { what: "expired answers to keyed requests", sweep: () => sweepAnswers(deps) },
    { what: "old records of platform access", sweep: () => sweepPlatformAccess(deps) },
    ...further,
  ]);
}

async function noSession(): Promise<never> {
  throw invalidToken("No platform session is given out here.");
}

function dispatchWhileServing(
  app: FastifyInstance,
  { startDispatcher, log }: { readonly startDispatcher: (() => LaneRunner) | undefined; readonly log: Log },
): () => void {
  let dispatcher: Watchdog<LaneRunner> | undefined;
  app.addHook("onListen", async () => {
    if (startDispatcher === undefined) return;
    dispatcher = startWatchdog({ log }, { what: "The event dispatcher", start: startDispatcher });
  });
  app.addHook("onClose", async () => dispatcher?.[Symbol.asyncDispose]());
  addReadinessCheck(app, () => dispatcher?.findFault());
  return () => dispatcher?.worker().wake();
}

function warnOfHeaderTrust(app: FastifyInstance, { auth }: VaultServerConfig): void {
  if (auth !== "header") return;
  app.addHook("onRequest", (_request, reply, done) => {
    reply.header("warning", '199 dataspace "development: whoever sends X-ENAME is taken for that owner"');
    done();
  });
}
