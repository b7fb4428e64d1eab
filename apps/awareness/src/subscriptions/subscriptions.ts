import { randomUUID } from "node:crypto";
import type { Clock } from "@dataspace/service-kit/clock";
import type { Database } from "@dataspace/service-kit/database";
import { awarenessRefusal } from "../errors.ts";
import {
  addSubscription,
  changeSubscription,
  findSubscription,
  listSubscriptions,
  removeSubscription,
  type Subscription,
} from "../store/subscription-rows.ts";
import type { CheckTarget } from "./check-target.ts";
import type { SecretSeal } from "./secret-seal.ts";
import { readSubscription, readSubscriptionChange } from "./subscription-input.ts";
import { makeWebhookSecret } from "./webhook-secret.ts";

/** What consumers do with their subscriptions; each meets its own alone. */
export interface Subscriptions {
  /** Out: the subscription with its secret, which is never shown again. */
  readonly add: (consumerId: string, body: unknown) => Promise<Subscription & { readonly secret: string }>;
  readonly list: (consumerId: string) => Promise<readonly Subscription[]>;
  readonly find: (consumerId: string, id: string) => Promise<Subscription>;
  readonly change: (consumerId: string, id: string, body: unknown) => Promise<Subscription>;
  readonly remove: (consumerId: string, id: string) => Promise<void>;
}

interface SubscriptionsDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly seal: SecretSeal;
  readonly checkTarget: CheckTarget;
}

const MAX_SUBSCRIPTIONS = 100;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Makes the acts on subscriptions.
 *
 * Refuses: BAD_REQUEST, INVALID_TARGET, TARGET_UNVERIFIED, TOO_MANY; NOT_FOUND for a subscription that is not the consumer's,
 * whoever's it is. Source: decision E9.
 */
export function createSubscriptions(deps: SubscriptionsDeps): Subscriptions {
  const { database } = deps;
  return {
    add: (consumerId, body) => add(deps, consumerId, body),
    list: (consumerId) => listSubscriptions(database, consumerId),
    find: async (consumerId, id) => {
      const found = UUID.test(id) ? await findSubscription(database, consumerId, id) : undefined;
      return found ?? fail();
    },
    change: async (consumerId, id, body) => {
      const change = readSubscriptionChange(body);
      const known = UUID.test(id) ? await findSubscription(database, consumerId, id) : undefined;
      if (known === undefined) return fail();
      const isMoved = change.targetUrl !== undefined && change.targetUrl !== known.targetUrl;
      if (isMoved) await deps.checkTarget(change.targetUrl as string);
      return (await changeSubscription(database, { consumerId, id }, change)) ?? fail();
    },
    remove: async (consumerId, id) => {
      if (!UUID.test(id) || !(await removeSubscription(database, consumerId, id))) fail();
    },
  };
}

async function add(
  { database, clock, seal, checkTarget }: SubscriptionsDeps,
  consumerId: string,
  body: unknown,
): Promise<Subscription & { readonly secret: string }> {
  const { secret = makeWebhookSecret(), targetUrl, ontologyFilter, vaultFilter } = readSubscription(body);
  await checkTarget(targetUrl);
  const id = randomUUID();
  const subscription = { id, targetUrl, ontologyFilter, vaultFilter };
  const at = new Date(clock.nowMs()).toISOString();
  const row = { ...subscription, consumerId, sealedSecret: seal.seal(id, secret), at };
  if (await database.transaction((tx) => addSubscription(tx, row, MAX_SUBSCRIPTIONS))) {
    return { ...subscription, active: true, secret };
  }
  throw awarenessRefusal("TOO_MANY", `A consumer has at most ${MAX_SUBSCRIPTIONS} subscriptions; remove one.`);
}

function fail(): never {
  throw awarenessRefusal("NOT_FOUND", "You have no subscription with this id.");
}
