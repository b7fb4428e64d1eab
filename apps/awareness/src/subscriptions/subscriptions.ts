import { randomUUID } from "node:crypto";
import { isUuid } from "@dataspace/protocol/uuid";
import type { Clock } from "@dataspace/service-kit/clock";
import type { Database } from "@dataspace/service-kit/postgres/database";
import type { Identified } from "../consumers/identify-consumer.ts";
import { refuseSpentToken, spendToken, type Writer, writeOnce } from "../consumers/spend-token.ts";
import type { SendProbe } from "../delivery/send-probe.ts";
import { isTaken, type WebhookOutcome } from "../delivery/send-webhook.ts";
import { awarenessRefusal } from "../errors.ts";
import { findSealedSecret, replaceSecret } from "../store/secret-rows.ts";
import {
  addSubscription,
  changeSubscription,
  findSubscription,
  listSubscriptions,
  removeSubscription,
  type Subscription,
} from "../store/subscription-rows.ts";
import type { CheckTarget } from "./check-target.ts";
import type { CountProbe } from "./probe-limit.ts";
import type { SecretSeal } from "./secret-seal.ts";
import { readSecretRotation, readSubscription, readSubscriptionChange } from "./subscription-input.ts";
import { makeWebhookSecret } from "./webhook-secret.ts";

/** A consumer's operations on its own subscriptions. */
export interface Subscriptions {
  /** Out: the subscription with its secret, which is never shown again. */
  readonly add: (asker: Identified, body: unknown) => Promise<Subscription & { readonly secret: string }>;
  readonly list: (consumerId: string) => Promise<readonly Subscription[]>;
  readonly find: (consumerId: string, id: string) => Promise<Subscription>;
  readonly change: (asker: Identified, id: string, body: unknown) => Promise<Subscription>;
  readonly remove: (asker: Identified, id: string) => Promise<void>;
  /** Replaces the current secret, which stays valid for a while beside the new one. Out: the new one, shown once. */
  readonly rotateSecret: (asker: Identified, id: string, body: unknown) => Promise<RotatedSecret>;
  /** Sends a test webhook once and immediately. Out: its outcome. */
  readonly test: (asker: Identified, id: string) => Promise<WebhookOutcome>;
}

/** A new secret, and until when (ISO 8601) webhooks are signed with the previous one too. */
export interface RotatedSecret {
  readonly secret: string;
  readonly previousValidUntil: string;
}

interface SubscriptionsDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly seal: SecretSeal;
  readonly checkTarget: CheckTarget;
  readonly sendProbe: SendProbe;
  readonly countProbe: CountProbe;
}

const MAX_SUBSCRIPTIONS = 100;
/** Each signs every webhook, so their number is small. */
const MAX_SECRETS = 5;

/**
 * Makes the operations on subscriptions. A target is accepted only after it answered a signed challenge, so that nobody
 * directs webhooks at a stranger.
 *
 * Refuses: BAD_REQUEST, INVALID_TARGET, TARGET_UNVERIFIED, TOO_MANY, TOKEN_SPENT, RATE_LIMITED; NOT_FOUND for another
 * consumer's subscription. Source: decision E9.
 */
export function createSubscriptions(deps: SubscriptionsDeps): Subscriptions {
  const { database } = deps;
  const find = async (consumerId: string, id: string): Promise<Subscription> => {
    const found = isUuid(id) ? await findSubscription(database, consumerId, id) : undefined;
    return found ?? fail();
  };
  return {
    add: (asker, body) => add(deps, asker, body),
    list: (consumerId) => listSubscriptions(database, consumerId),
    find,
    change: async (asker, id, body) => {
      const change = readSubscriptionChange(body);
      const consumerId = asker.consumer.id;
      const known = await find(consumerId, id);
      if (change.targetUrl !== undefined && change.targetUrl !== known.targetUrl) {
        const secret = await openSecret(deps, id);
        await verifyTarget(deps, asker, { id, targetUrl: change.targetUrl, secret });
      }
      return writeOnce(
        database,
        asker,
        async (tx) => (await changeSubscription(tx, { consumerId, id }, { ...change, at: nowIso(deps) })) ?? fail(),
      );
    },
    remove: async (asker, id) => {
      if (!isUuid(id)) fail();
      await writeOnce(database, asker, async (tx) => {
        if (!(await removeSubscription(tx, { consumerId: asker.consumer.id, id, at: nowIso(deps) }))) fail();
      });
    },
    rotateSecret: async (asker, id, body) => {
      await find(asker.consumer.id, id);
      return rotateSecret(deps, { asker, id }, body);
    },
    test: async (asker, id) => {
      const consumerId = asker.consumer.id;
      const { targetUrl } = await find(consumerId, id);
      deps.countProbe(consumerId, targetUrl);
      await spendToken(database, asker);
      const secret = await openSecret(deps, id);
      return deps.sendProbe({ kind: "test", consumerId, subscriptionId: id, targetUrl, secret });
    },
  };
}

async function add(
  deps: SubscriptionsDeps,
  asker: Identified,
  body: unknown,
): Promise<Subscription & { readonly secret: string }> {
  const { secret = makeWebhookSecret(), targetUrl, ontologyFilter, vaultFilter } = readSubscription(body);
  const id = randomUUID();
  await verifyTarget(deps, asker, { id, targetUrl, secret });
  const subscription = { id, targetUrl, ontologyFilter, vaultFilter };
  const sealedSecret = deps.seal.seal(id, secret);
  const row = { ...subscription, consumerId: asker.consumer.id, sealedSecret, at: nowIso(deps) };
  await writeOnce(deps.database, asker, async (tx) => {
    if (await addSubscription(tx, row, MAX_SUBSCRIPTIONS)) return;
    throw awarenessRefusal("TOO_MANY", `A consumer has at most ${MAX_SUBSCRIPTIONS} subscriptions; remove one.`);
  });
  return { ...subscription, active: true, secret };
}

async function rotateSecret(
  deps: SubscriptionsDeps,
  { asker, id }: { readonly asker: Writer; readonly id: string },
  body: unknown,
): Promise<RotatedSecret> {
  const { secret = makeWebhookSecret(), graceSeconds } = readSecretRotation(body ?? {});
  const nowMs = deps.clock.nowMs();
  const previousValidUntil = new Date(nowMs + graceSeconds * 1000).toISOString();
  const next = { subscriptionId: id, sealed: deps.seal.seal(id, secret), at: new Date(nowMs).toISOString() };
  await writeOnce(deps.database, asker, async (tx) => {
    if (await replaceSecret(tx, { ...next, previousValidUntil }, MAX_SECRETS)) return;
    throw awarenessRefusal(
      "TOO_MANY",
      `${MAX_SECRETS} secrets of this subscription are valid now; wait for one to end, or give graceSeconds as 0.`,
    );
  });
  return { secret, previousValidUntil };
}

async function openSecret({ database, seal }: SubscriptionsDeps, id: string): Promise<string> {
  return seal.open(id, await findSealedSecret(database, id));
}

// A request that will be refused sends nothing.
async function verifyTarget(
  { database, checkTarget, sendProbe, countProbe }: SubscriptionsDeps,
  asker: Identified,
  { id, targetUrl, secret }: Readonly<Record<"id" | "targetUrl" | "secret", string>>,
): Promise<void> {
  const consumerId = asker.consumer.id;
  await refuseSpentToken(database, asker);
  countProbe(consumerId, targetUrl);
  await checkTarget(targetUrl, consumerId);
  const outcome = await sendProbe({ kind: "challenge", consumerId, subscriptionId: id, targetUrl, secret });
  if (isTaken(outcome)) return;
  const { status } = outcome;
  throw awarenessRefusal(
    "TARGET_UNVERIFIED",
    `${status === null ? "The endpoint did not answer" : `The endpoint answered ${status} to`} the signed challenge. Answer it with a 2xx status within 5 s.`,
    "targetUrl",
  );
}

function nowIso({ clock }: Pick<SubscriptionsDeps, "clock">): string {
  return new Date(clock.nowMs()).toISOString();
}

function fail(): never {
  throw awarenessRefusal("NOT_FOUND", "You have no subscription with this id.");
}
