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
}

/**
 * Subscribes a receiver that listens already, unless it is subscribed: at each start of a platform. The awareness service sends a
 * challenge to the receiver before it answers.
 *
 * Out: the subscription's id. Refuses: UpstreamError. Source: S1 "Subscriptions"; decision E9.
 */
export async function assureSubscription(
  { awarenessUrl, targetUrl, ontologyFilter = [], authorization }: WantedSubscription,
  deps: { readonly fetch: Fetch } = { fetch },
): Promise<string> {
  const url = `${awarenessUrl}/api/subscriptions`;
  const headers = authorization === undefined ? {} : { authorization };
  const listed = (await fetchJson(deps.fetch, { url, headers })) as { readonly subscriptions: readonly Listed[] };
  const known = listed.subscriptions.find((subscription) => subscription.targetUrl === targetUrl);
  if (known !== undefined) return known.id;
  const body = { targetUrl, ontologyFilter };
  return ((await fetchJson(deps.fetch, { url, method: "POST", headers, body })) as Listed).id;
}
