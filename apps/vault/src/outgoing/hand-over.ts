import { type Fetch, fetchJson } from "@dataspace/clients/timed-fetch";
import { UpstreamError } from "@dataspace/clients/upstream-error";
import type { Secret } from "@dataspace/service-kit/secret";

/**
 * What the awareness service says of an event. Each of the first three means that it is stored, `conflict` that something else is.
 * A `rejected` event is not stored: it is kept and sent again. Source: decision E5.
 */
export type IngestStatus = "accepted" | "duplicate" | "conflict" | "rejected";

/**
 * What came of handing events over: `answered` with what was said of each, `refused` because of the events themselves, or
 * `unavailable` whatever the events were. `reason` is for the log.
 */
export type HandOverOutcome =
  | { readonly kind: "answered"; readonly statuses: ReadonlyMap<string, IngestStatus> }
  | { readonly kind: "refused" | "unavailable"; readonly reason: string };

/** Hands events to the awareness service. In: a JSON array of them. */
export type HandOver = (body: string) => Promise<HandOverOutcome>;

/** Where the awareness service is, and the secret shared with it. */
export interface AwarenessAddress {
  readonly url: string;
  readonly secret: Secret;
}

/** How long handing over takes at most. Source: S1 "Delivery rules". */
export const HAND_OVER_MS = 5_000;
/** A hundred results are far below. */
const MAX_ANSWER_BYTES = 65_536;
/** Statuses that speak of the request; every other one speaks of the service or of the settings. */
const AT_FAULT = new Set([400, 413, 422]);
const STATUSES = new Set<unknown>(["accepted", "duplicate", "conflict", "rejected"] satisfies IngestStatus[]);

/**
 * Makes the handing over of events: `POST {url}/ingest`, within five seconds.
 *
 * An answer counts by its results alone: one that says nothing of any event, whatever its status, is `unavailable`.
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
