import { type Fetch, fetchJson } from "@dataspace/clients/timed-fetch";
import { type AwarenessAddress, HAND_OVER_MS } from "./hand-over.ts";

/**
 * Makes the function that tells the awareness service of an erasure: `POST {url}/ingest/erasures`. In: the record's id, empty for the
 * whole vault; events up to `before`, ISO 8601. Refuses: UpstreamError. Source: decision V18.
 */
export function createReportErasure(
  deps: { readonly fetch: Fetch },
  { url, secret }: AwarenessAddress,
): (erasure: { readonly owner: string; readonly id: string; readonly before: string }) => Promise<void> {
  return async ({ owner, id, before }) => {
    await fetchJson(deps.fetch, {
      url: `${url}/ingest/erasures`,
      method: "POST",
      headers: { authorization: `Bearer ${secret.reveal()}` },
      body: { dsid: owner, id: id === "" ? null : id, before },
      timeoutMs: HAND_OVER_MS,
    });
  };
}
