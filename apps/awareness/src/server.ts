import { mountReference } from "@dataspace/api-reference/reference";
import { createVerifyEcdsa } from "@dataspace/clients/verify-ecdsa";
import { createVerifyWalletToken } from "@dataspace/clients/verify-wallet-token";
import { createGuardedPost } from "@dataspace/outgoing/guarded-post";
import { createHttpServer } from "@dataspace/service-kit/http/http-server";
import { limitAddresses } from "@dataspace/service-kit/http/rate-limits";
import { addReadinessCheck } from "@dataspace/service-kit/monitoring/readiness";
import { countRequests } from "@dataspace/service-kit/monitoring/request-metrics";
import { sweepWhileServing } from "@dataspace/service-kit/run/sweep-while-serving";
import { startWatchdog } from "@dataspace/service-kit/run/watchdog";
import { mountUi } from "@dataspace/ui/mount-ui";
import { createUi } from "@dataspace/ui/ui";
import type { ResolveHost } from "@dataspace/outgoing/guarded-target";
import type { OutgoingAllow } from "@dataspace/outgoing/outgoing-allow";
import type { EName } from "@dataspace/protocol/ename";
import type { Clock } from "@dataspace/service-kit/clock";
import type { CrossOriginPolicy } from "@dataspace/service-kit/http/cross-origin";
import type { ServiceBase } from "@dataspace/service-kit/run/service-base";
import type { Secret } from "@dataspace/service-kit/secret";
import { createApiKeys } from "./consumers/api-keys.ts";
import { createIdentifyConsumer } from "./consumers/identify-consumer.ts";
import { noteClaim } from "./consumers/note-claim.ts";
import { createPlatforms } from "./consumers/platforms.ts";
import { createDeliveries } from "./delivery/deliveries.ts";
import { measureDeliveries } from "./delivery/delivery-metrics.ts";
import { startReplayWorker } from "./delivery/replay-worker.ts";
import { createSendProbe } from "./delivery/send-probe.ts";
import { createSendWebhook } from "./delivery/send-webhook.ts";
import { listWebhookKeys, type WebhookSigningKey } from "./delivery/webhook-signing-key.ts";
import { awarenessRefusal } from "./errors.ts";
import { createFeed } from "./feed/read-feed.ts";
import { type Sequencer, startSequencer } from "./feed/sequencer.ts";
import { mountApiKeys } from "./http/api-keys-door.ts";
import { createConsumerOf, identifyFirst } from "./http/consumer-of.ts";
import { mountDeliveries, mountWebhookKeys } from "./http/deliveries-door.ts";
import { mountFeed } from "./http/feed-door.ts";
import { type Erase, type IngestConfig, mountIngest } from "./http/ingest-door.ts";
import { mountPlatforms } from "./http/platforms-door.ts";
import { mountStart } from "./http/start-door.ts";
import { mountSubscriptions } from "./http/subscriptions-door.ts";
import { createIngest } from "./ingest/ingest.ts";
import { createCheckOwners } from "./ingest/owner-check.ts";
import type { PlatformPart } from "./platform-part.ts";
import { mountPortal } from "./portal/portal.ts";
import { createPortalParts } from "./portal/portal-parts.ts";
import { awarenessApi } from "./reference/awareness-api.ts";
import type { RegistryPart } from "./registry-part.ts";
import { addDevConsumer } from "./store/consumer-rows.ts";
import { eraseEvents } from "./store/erase-events.ts";
import { purgeAttempts } from "./store/purge-attempts.ts";
import { createPurgeEvents } from "./store/purge-events.ts";
import { purgeRemoved } from "./store/purge-removed.ts";
import { skipRemoved } from "./store/skip-removed.ts";
import { spentConsumerTokens } from "./store/spent-token-rows.ts";
import { expirePaused } from "./store/subscription-activity.ts";
import { sweepSignIns, sweepVisits } from "./store/visit-rows.ts";
import { createCheckTarget } from "./subscriptions/check-target.ts";
import { createCountProbe } from "./subscriptions/probe-limit.ts";
import { createSecretSeal } from "./subscriptions/secret-seal.ts";
import { createSubscriptions } from "./subscriptions/subscriptions.ts";
import { createDecideVisibility } from "./visibility/visibility.ts";
import type { FastifyInstance } from "fastify";

/** The dependencies of an awareness service. The database's migrations have run. */
export interface AwarenessDeps {
  readonly base: ServiceBase;
  readonly resolveHost: ResolveHost;
  readonly registry: Pick<RegistryPart, "findCertifiedKeys" | "resolveVault">;
  readonly platforms: PlatformPart;
  /**
   * Called after each commit that queued deliveries, so that they begin at once; the tables make them due in any case.
   */
  readonly onStored?: () => void;
}

/** An awareness service's configuration. */
export interface AwarenessConfig extends IngestConfig {
  readonly secret: Secret;
  readonly webhookKey: WebhookSigningKey;
  readonly admins: ReadonlySet<EName>;
  readonly legacyTokens: "accept" | "read-only" | "reject";
  /** The domain of every ontology that has one. */
  readonly domains: ReadonlyMap<string, string>;
  readonly outgoingAllow: OutgoingAllow;
  /** Requests a minute from one source address, events from vaults apart; 0: no limit. */
  readonly requestsPerAddress: number;
  /** Challenges and test webhooks a minute of one consumer; one host gets four times as many; 0: no limit. */
  readonly probesPerMinute: number;
  /** The proxies whose X-Forwarded-For and X-Forwarded-Proto are read; absent: none. */
  readonly trustedProxies?: readonly string[];
  readonly cors: CrossOriginPolicy;
  /** Its own origin; read at each use, since a port may be chosen late. */
  readonly publicUrl: () => string;
  /** Whether a call from this machine without a credential is a consumer: only in the development stack. */
  readonly devConsumer: boolean;
}

const BODY_LIMIT_BYTES = 1_048_576;
/** How long attempts, settled deliveries and events are retained. */
const KEPT_MS = 30 * 86_400_000;
const PAUSED_MS = 30 * 86_400_000;
/** Longer than a part of a replay that waits for busy lanes. */
const REPLAY_SILENCE_SECONDS = 90;
/** Longer than any transaction that may still store something for a removed subscription. */
const REMOVED_MS = 3_600_000;

/**
 * Makes the awareness service: vaults send it events, consumers subscribe to them.
 *
 * Out: a server that neither listens nor migrates. Source: S1 "Events"; decisions E1 to E10.
 */
export async function createAwarenessServer(deps: AwarenessDeps, config: AwarenessConfig): Promise<FastifyInstance> {
  const { base, platforms } = deps;
  const { database, clock, log } = base;
  const app = createHttpServer({
    ...config,
    log,
    bodyLimitBytes: BODY_LIMIT_BYTES,
    allowedHeaders: ["Content-Type", "Authorization", "DPoP"],
  });
  countRequests(app, base.metrics);
  measureDeliveries(base);
  if (config.devConsumer) await addDevConsumer(database, new Date(clock.nowMs()).toISOString());
  app.get("/healthz", async () => ({ status: "ok" }));
  const start = () => startSequencer({ database, log });
  const sequencing = startWatchdog({ log }, { what: "The numbering of events for the feed", start });
  app.addHook("onClose", () => sequencing[Symbol.asyncDispose]());
  addReadinessCheck(app, sequencing.findFault);
  const onStored = (): void => {
    sequencing.worker().wake();
    deps.onStored?.();
  };
  const checkOwners = createCheckOwners({ clock, resolve: deps.registry.resolveVault });
  const erase: Erase = (erasure) => eraseEvents(database, erasure);
  mountIngest(app, { ingest: createIngest({ database, clock, onStored }), checkOwners, erase }, config);
  app.register((api, _options, done) => {
    limitAddresses(api, { name: "address", requests: config.requestsPerAddress, windowSeconds: 60 });
    const untilGrown: Sequencer["untilGrown"] = (signal) => sequencing.worker().untilGrown(signal);
    mountApi(api, { ...deps, sequencer: { untilGrown } }, config);
    done();
  });
  const purgeEvents = createPurgeEvents(database);
  sweepWhileServing(app, log, [
    { what: "spent tokens that have expired", sweep: () => spentConsumerTokens.sweep(database, clock.nowMs()) },
    { what: "subscriptions paused for 30 days", sweep: () => expirePaused(database, pausedTooLong(clock)) },
    { what: "lanes of removed subscriptions", sweep: () => skipRemoved(database, clock.nowMs()) },
    { what: "rows of removed subscriptions", sweep: () => purgeRemoved(database, clock.nowMs() - REMOVED_MS) },
    { what: "sign-ins that are over", sweep: () => sweepSignIns(database, clock.nowMs()) },
    { what: "visits that are over", sweep: () => sweepVisits(database, clock.nowMs()) },
    ...platforms.handshakes.sweeps,
    { what: "old attempts", sweep: () => purgeAttempts(database, clock.nowMs() - KEPT_MS) },
    { what: "old events and deliveries", sweep: () => purgeEvents(clock.nowMs() - KEPT_MS) },
  ]);
  return app;
}

function pausedTooLong(clock: Clock): Parameters<typeof expirePaused>[1] {
  const nowMs = clock.nowMs();
  return { nowMs, pausedBeforeMs: nowMs - PAUSED_MS };
}

function mountApi(
  api: FastifyInstance,
  deps: AwarenessDeps & { readonly sequencer: Pick<Sequencer, "untilGrown"> },
  config: AwarenessConfig,
): void {
  const { base, resolveHost } = deps;
  const { database, clock, log } = base;
  const { findCertifiedKeys } = deps.registry;
  const { hearing, handshakes } = deps.platforms;
  const verifyEcdsa = createVerifyEcdsa();
  const verifyWalletToken = createVerifyWalletToken({
    clock,
    log,
    findCertifiedKeys,
    verifyEcdsa,
    refuse: awarenessRefusal,
  });
  const consumerOf = createConsumerOf(
    createIdentifyConsumer({ database, clock, verifyWalletToken, verifySession: handshakes.verifySession }, config),
  );
  const seal = createSecretSeal(config.secret.reveal());
  const checkTarget = createCheckTarget({ resolveHost }, config);
  const guarded = createGuardedPost({ resolveHost }, { allow: config.outgoingAllow });
  api.addHook("onClose", () => guarded[Symbol.asyncDispose]());
  const send = createSendWebhook({ ...guarded, clock });
  const sendProbe = createSendProbe(
    { send, clock },
    { signingKeys: listWebhookKeys(config.webhookKey).map(({ signing }) => signing) },
  );
  const countProbe = createCountProbe({ clock }, config);
  const subscriptions = createSubscriptions({ database, clock, seal, checkTarget, sendProbe, countProbe });
  const wake = deps.onStored ?? (() => undefined);
  const decideVisibility = createDecideVisibility({ database, hearing }, config);
  const listening = { legacyTokens: config.legacyTokens, clock };
  const replay = { database, clock, log, decideVisibility, wake };
  const replaying = startWatchdog(base, {
    what: "The replay of deliveries",
    start: () => startReplayWorker(replay, listening),
    silenceLimitSeconds: REPLAY_SILENCE_SECONDS,
  });
  api.addHook("onClose", () => replaying[Symbol.asyncDispose]());
  addReadinessCheck(api, replaying.findFault);
  const deliveries = createDeliveries({ database, clock, wake, decideVisibility }, listening);
  mountWebhookKeys(
    api,
    listWebhookKeys(config.webhookKey).map(({ published }) => published),
  );
  handshakes.serve(api, {
    audienceOf: async () => config.publicUrl(),
    onClaim: (proven) => noteClaim({ database, clock }, proven),
  });
  const apiKeys = createApiKeys(base);
  const feed = createFeed({ database, decideVisibility });
  mountFeed(api, { database, feed, consumerOf, sequencer: deps.sequencer }, listening);
  const platforms = createPlatforms(base, config);
  api.register((guarded, _options, done) => {
    const identified = { consumerOf: identifyFirst(guarded, consumerOf) };
    mountSubscriptions(guarded, { ...identified, subscriptions });
    mountDeliveries(guarded, { ...identified, subscriptions, deliveries });
    mountApiKeys(guarded, { ...identified, apiKeys });
    mountPlatforms(guarded, { ...identified, platforms });
    done();
  });
  const ui = createUi();
  mountUi(api, ui);
  mountStart(api, ui);
  mountReference(
    api,
    { ui, api: awarenessApi },
    { part: "awareness", nav: [{ href: "/portal", text: "Portal", current: false }], publicUrl: config.publicUrl },
  );
  const operations = { subscriptions, deliveries, apiKeys, platforms };
  const wallets = { findCertifiedKeys, verifyEcdsa };
  const material = { base, ui, operations, hearing, decideVisibility, wallets };
  mountPortal(api, createPortalParts(material, config), config);
}
