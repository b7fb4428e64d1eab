import { createGuardedPost } from "@dataspace/outgoing/guarded-post";
import { startWatchdog } from "@dataspace/service-kit/run/watchdog";
import { createTimeOrderedIds } from "@dataspace/service-kit/time-ordered-ids";
import type { LaneRunner } from "@dataspace/lanes/lane-runner";
import type { ReadinessCheck } from "@dataspace/service-kit/monitoring/readiness";
import { countSettling } from "./delivery/delivery-metrics.ts";
import { startDeliveryWorker } from "./delivery/delivery-worker.ts";
import { createMayHearOf } from "./delivery/may-hear-of.ts";
import { createSendWebhook } from "./delivery/send-webhook.ts";
import { listWebhookKeys } from "./delivery/webhook-signing-key.ts";
import type { AwarenessConfig, AwarenessDeps } from "./server.ts";
import { createCircuitRows } from "./store/circuit-rows.ts";
import { createDeliverySettling } from "./store/settle-deliveries.ts";
import { createOpenSecret } from "./subscriptions/open-secret.ts";
import { createSecretSeal } from "./subscriptions/secret-seal.ts";
import type { Hearing } from "./visibility/hearing.ts";

/** A worker's dependencies. `monotonicMs` counts up and is never set, `random` gives 0 up to 1. */
export interface DeliveryDeps extends Pick<AwarenessDeps, "base" | "resolveHost"> {
  readonly hearing: Hearing;
  readonly monotonicMs: () => number;
  readonly random: () => number;
}

type DeliveryConfig = Pick<AwarenessConfig, "secret" | "legacyTokens" | "domains" | "outgoingAllow" | "webhookKey">;

/** The delivery of webhooks, until it is disposed of. */
export interface Delivery extends AsyncDisposable {
  /** Makes it look for due deliveries now. */
  readonly wake: () => void;
  /** What prevents its work, for `/readyz`. */
  readonly findFault: ReadinessCheck;
}

/**
 * Starts delivering queued events, until it is disposed of. Any number of processes may do so on one database.
 *
 * Refuses: never. Source: S1 "Events"; decisions E1 to E4, E6.
 */
export function startDelivery(deps: DeliveryDeps, config: DeliveryConfig): Delivery {
  const settling = countSettling(createDeliverySettling(deps.base), deps.base.metrics);
  const start = () => startRunner({ ...deps, settling }, config);
  const watchdog = startWatchdog(deps.base, { what: "The delivery of webhooks", start });
  return {
    wake: () => watchdog.worker().wake(),
    findFault: watchdog.findFault,
    [Symbol.asyncDispose]: () => watchdog[Symbol.asyncDispose](),
  };
}

function startRunner(
  deps: DeliveryDeps & { readonly settling: ReturnType<typeof createDeliverySettling> },
  config: DeliveryConfig,
): LaneRunner {
  const { resolveHost, monotonicMs, random } = deps;
  const { database, clock, log, tracer } = deps.base;
  const seal = createSecretSeal(config.secret.reveal());
  const guarded = createGuardedPost({ resolveHost }, { allow: config.outgoingAllow });
  const attempts = {
    rows: { database, settling: deps.settling, circuits: createCircuitRows(database) },
    clock,
    random,
    mayHearOf: createMayHearOf(deps.hearing, { ...config, clock }),
    webhooks: {
      newUuid: createTimeOrderedIds(clock),
      openSecret: createOpenSecret(seal),
      signingKeys: listWebhookKeys(config.webhookKey).map(({ signing }) => signing),
      send: createSendWebhook({ ...guarded, clock }),
      tracer,
    },
  };
  const runner = startDeliveryWorker(attempts, { log, monotonicMs });
  return {
    wake: runner.wake,
    looks: runner.looks,
    [Symbol.asyncDispose]: async () => {
      await runner[Symbol.asyncDispose]();
      await guarded[Symbol.asyncDispose]();
    },
  };
}
