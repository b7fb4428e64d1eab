import { parseEName } from "@dataspace/protocol/ename";
import type { Listener } from "./listener.ts";

/** What a subscription wants to hear, and where it is told. Empty filters want everything. */
export interface SubscriptionTerms {
  readonly active: boolean;
  readonly removed: boolean;
  readonly targetUrl: string;
  readonly ontologyFilter: readonly string[];
  readonly vaultFilter: readonly string[];
}

/** What a filter is asked about, and the platform that made the change. */
export interface MatchedEvent {
  readonly dsid: string;
  readonly schemaId: string;
  readonly requestingPlatform: string | null;
}

/**
 * Tells whether a subscription takes part in an event: it is active, its filters hold the record's ontology and owner, and it
 * is not the platform's that made the change. Whether it may hear of it is asked at each attempt.
 *
 * Refuses: never. Source: decisions E4, E9, E10.
 */
export function subscriptionMatches(
  subscription: SubscriptionTerms,
  event: MatchedEvent,
  consumer: Pick<Listener, "ename" | "platform">,
): boolean {
  return (
    subscription.active &&
    !subscription.removed &&
    isInFilter(subscription.ontologyFilter, event.schemaId) &&
    isInFilter(subscription.vaultFilter, event.dsid) &&
    !isRequester(consumer, subscription.targetUrl, event.requestingPlatform)
  );
}

function isInFilter(filter: readonly string[], value: string): boolean {
  return filter.length === 0 || filter.includes(value);
}

/**
 * Tells whether a consumer is the platform that made a change, or, where that platform is named by an address, whether the
 * target has the same origin.
 *
 * In: `targetUrl` null where nothing is delivered to an address. Refuses: never; a change without a platform excludes nobody.
 * Source: decision E10.
 */
export function isRequester(
  { ename, platform }: Pick<Listener, "ename" | "platform">,
  targetUrl: string | null,
  requestingPlatform: string | null,
): boolean {
  if (requestingPlatform === null) return false;
  if (requestingPlatform === platform) return true;
  if (ename !== null && toEName(requestingPlatform) === ename) return true;
  const origin = originOf(requestingPlatform);
  return origin !== undefined && targetUrl !== null && originOf(targetUrl) === origin;
}

function toEName(text: string): string | undefined {
  try {
    return parseEName(text);
  } catch {
    return undefined;
  }
}

function originOf(text: string): string | undefined {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) ? url.origin : undefined;
}
