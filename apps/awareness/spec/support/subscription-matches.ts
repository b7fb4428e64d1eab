import { isRequester } from "../../src/matching/is-requester.ts";
import type { SubscriptionMatch } from "../../src/store/subscription-matches.ts";

/** A subscription with all that decides which events it takes part in. Empty filters take all. */
export interface MatchedSubscription extends Omit<SubscriptionMatch, "places"> {
  readonly active: boolean;
  readonly removed: boolean;
  readonly ontologyFilter: readonly string[];
  readonly vaultFilter: readonly string[];
}

/** The rule of decisions E9 and E10 for one subscription and one event, without any index: what the tables must answer. */
export function subscriptionMatches(
  subscription: MatchedSubscription,
  event: { readonly dsid: string; readonly schemaId: string; readonly requestingPlatform: string | null },
): boolean {
  const isIn = (filter: readonly string[], value: string): boolean => filter.length === 0 || filter.includes(value);
  return (
    subscription.active &&
    !subscription.removed &&
    isIn(subscription.ontologyFilter, event.schemaId) &&
    isIn(subscription.vaultFilter, event.dsid) &&
    !isRequester(subscription.consumer, subscription.targetUrl, event.requestingPlatform)
  );
}
