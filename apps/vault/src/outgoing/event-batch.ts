import type { WaitingEvent } from "../store/outbox-rows.ts";

/** Events of one request, and the request's body, a JSON array. */
export interface EventBatch {
  readonly events: readonly WaitingEvent[];
  readonly body: string;
}

/** The largest number of events in one request. Source: decision P9. */
export const MOST_EVENTS = 100;
/** The largest size of one request. Source: decision P9. */
export const MOST_BYTES: number = 4 * 1_048_576;

/**
 * Takes as many of the events as one request holds, from the first on and without gaps; at least one.
 *
 * In: `traceparentOf` gives the `traceparent` to send beside an event, if any.
 *
 * So a stream's events stay in order: none is sent before its predecessor. Refuses: never. Source: decisions E5, P9.
 */
export function cutBatch(
  waiting: readonly WaitingEvent[],
  traceparentOf: (event: WaitingEvent) => string | undefined,
): EventBatch {
  const events: WaitingEvent[] = [];
  const items: string[] = [];
  let bytes = 2;
  for (const event of waiting.slice(0, MOST_EVENTS)) {
    if (event.body === undefined) break;
    const item = writeItem(event.body, event, traceparentOf(event));
    bytes += Buffer.byteLength(item) + 1;
    if (items.length > 0 && bytes > MOST_BYTES) break;
    events.push(event);
    items.push(item);
  }
  return { events, body: `[${items.join(",")}]` };
}

// The policy is already an object's JSON text; `owner` is the owner's last signed access policy.
function writeItem(
  body: string,
  { requestingPlatform, policy, ownerPolicy }: WaitingEvent,
  traceparent: string | undefined,
): string {
  const policyWithOwner = `${policy.slice(0, policy.lastIndexOf("}"))},"owner":${ownerPolicy ?? "null"}}`;
  const trace = traceparent === undefined ? "" : `,"traceparent":${JSON.stringify(traceparent)}`;
  return `{"body":${JSON.stringify(body)},"requestingPlatform":${JSON.stringify(requestingPlatform)},"policy":${policyWithOwner}${trace}}`;
}
