import { type Fetch, fetchJson } from "@dataspace/clients/timed-fetch";
import { UpstreamError } from "@dataspace/clients/upstream-error";
import type { Secret } from "@dataspace/service-kit/secret";

/**
 * The awareness service's result for an event. With the first two it is stored, with `conflict` a different event is
 * stored in its place. A `rejected` event is not stored, and is sent again. Source: decision E5.
 */
export type IngestStatus = "accepted" | "duplicate" | "conflict" | "rejected";

/**
 * The result of a request: `answered` with a result per event, `refused` because of the events, or `unavailable`
 * independently of the events. `reason` is for the log.
 */
export type HandOverOutcome =
  | { readonly kind: "answered"; readonly statuses: ReadonlyMap<string, IngestStatus> }
  | { readonly kind: "refused" | "unavailable"; readonly reason: string };

/** Sends events to the awareness service. In: a JSON array of them. */
export type HandOver = (body: string) => Promise<HandOverOutcome>;

/** Where the awareness service is, and the secret shared with it. */
export interface AwarenessAddress {
  readonly url: string;
  readonly secret: Secret;
}

/** The time limit of a request. Source: S1 "Delivery rules". */
export const HAND_OVER_MS = 5_000;
/** A hundred results are far smaller. */
const MAX_ANSWER_BYTES = 65_536;
/** Statuses that concern the request; all others concern the service or the settings. */
const AT_FAULT = new Set([400, 413, 422]);
const STATUSES = new Set<unknown>(["accepted", "duplicate", "conflict", "rejected"] satisfies IngestStatus[]);

/**
 * Makes the function that sends events: `POST {url}/ingest`, within five seconds.
 *
 * Only the results of an answer count: an answer without any result is `unavailable`, whatever its status.
 * Refuses: never. Source: S1 "Delivery rules"; decision E5.
 */
export function createHandOver(deps: { readonly fetch: Fetch }, { url, secret }: AwarenessAddress): HandOver {
  return async (body) => {
    try {
      const answer = await fetchJson(deps.fetch, {
        url: `${url}/ingest`,
        method: "POST",
        headers: { authorization: `Bearer ${secret.reveal()}` },
        bodyText: body,
        timeoutMs: HAND_OVER_MS,
        maxBytes: MAX_ANSWER_BYTES,
      });
      return readAnswer(answer);
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      const { refusal, message: reason } = error;
      if (refusal?.status === 409) return readAnswer(refusal.body);
      return { kind: refusal !== undefined && AT_FAULT.has(refusal.status) ? "refused" : "unavailable", reason };
    }
  };
}

function readAnswer(answer: unknown): HandOverOutcome {
  const results: unknown = (answer as { readonly results?: unknown } | null | undefined)?.results;
  const statuses = new Map<string, IngestStatus>();
  for (const result of Array.isArray(results) ? results : []) {
    const { eventId, status } = (result ?? {}) as { readonly eventId?: unknown; readonly status?: unknown };
    if (typeof eventId === "string" && STATUSES.has(status)) statuses.set(eventId, status as IngestStatus);
  }
  if (statuses.size > 0) return { kind: "answered", statuses };
  return { kind: "unavailable", reason: "POST /ingest gave an answer that says nothing of any event." };
}
