import { fetchJson } from "@dataspace/clients/timed-fetch";
import type { Fetch } from "@dataspace/clients/timed-fetch";

/** Which events are to be delivered where. `authorization` is `Bearer <API key>`; the development stack needs none. */
export interface WantedSubscription {
  readonly awarenessUrl: string;
  readonly targetUrl: string;
  /** The ontologies of the records; all when absent. */
  readonly ontologyFilter?: readonly string[];
  readonly authorization?: string;
}

interface Listed {
  readonly id: string;
  readonly targetUrl: string;
  readonly active: boolean;
  readonly ontologyFilter: readonly string[];
}

/** A page of 100 subscriptions has some MiB at most. */
const MAX_LIST_BYTES = 16 * 1_048_576;

/**
 * Subscribes a receiver that listens already, unless it is subscribed: at each start of a platform. The awareness service sends a
 * challenge to the receiver before it answers. A subscription to this target that is paused or has another filter is changed.
 *
 * Out: the subscription's id. Refuses: UpstreamError. Source: S1 "Subscriptions"; decision E9.
 */
export async function assureSubscription(
  { awarenessUrl, targetUrl, ontologyFilter = [], authorization }: WantedSubscription,
  deps: { readonly fetch: Fetch } = { fetch },
): Promise<string> {
  const url = `${awarenessUrl}/api/subscriptions`;
  const headers = authorization === undefined ? {} : { authorization };
  const list = { url, headers, maxBytes: MAX_LIST_BYTES };
  const listed = (await fetchJson(deps.fetch, list)) as { readonly subscriptions: readonly Listed[] };
  const known = listed.subscriptions.find((subscription) => subscription.targetUrl === targetUrl);
  if (known === undefined) {
    const body = { targetUrl, ontologyFilter };
    return ((await fetchJson(deps.fetch, { url, method: "POST", headers, body })) as Listed).id;
  }
  const isAsWanted = known.active && isSameSet(known.ontologyFilter, ontologyFilter);
  const body = { active: true, ontologyFilter };
  if (!isAsWanted) await fetchJson(deps.fetch, { url: `${url}/${known.id}`, method: "PATCH", headers, body });
  return known.id;
}

function isSameSet(one: readonly string[], other: readonly string[]): boolean {
  const [first, second] = [new Set(one), new Set(other)];
  return first.size === second.size && [...first].every((name) => second.has(name));
}
