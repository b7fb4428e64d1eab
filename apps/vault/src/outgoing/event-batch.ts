import type { WaitingEvent } from "../store/outbox-rows.ts";

/** Events that go in one request, and the request's body, a JSON array. */
export interface EventBatch {
  readonly events: readonly WaitingEvent[];
  readonly body: string;
}

/** The most that one request holds. Source: decision P9. */
export const MOST_EVENTS = 100;
/** The most bytes of one request. Source: decision P9. */
export const MOST_BYTES: number = 4 * 1_048_576;

/**
 * Takes of the events, from the first on and without leaving one out, as many as one request holds; one at least.
 *
 * So a stream's events stay in their order: none goes whose predecessor waits. Refuses: never. Source: decisions E5, P9.
 */
export function cutBatch(waiting: readonly WaitingEvent[]): EventBatch {
  const events: WaitingEvent[] = [];
  const items: string[] = [];
  let bytes = 2;
  for (const event of waiting.slice(0, MOST_EVENTS)) {
    if (event.body === undefined) break;
    const item = writeItem(event.body, event);
    bytes += Buffer.byteLength(item) + 1;
    if (items.length > 0 && bytes > MOST_BYTES) break;
    events.push(event);
    items.push(item);
  }
  return { events, body: `[${items.join(",")}]` };
}

// The policy lies there as an object's text already; `owner` is the access policy that the owner has signed last.
function writeItem(body: string, { requestingPlatform, policy, ownerPolicy }: WaitingEvent): string {
  const policyWithOwner = `${policy.slice(0, policy.lastIndexOf("}"))},"owner":${ownerPolicy ?? "null"}}`;
  return `{"body":${JSON.stringify(body)},"requestingPlatform":${JSON.stringify(requestingPlatform)},"policy":${policyWithOwner}}`;
}
