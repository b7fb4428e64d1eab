import type { WaitingEvent } from "../store/outbox-rows.ts";

/** One event as it is handed over. Source: decision E5. */
export interface IngestItem {
  readonly body: string;
  readonly requestingPlatform: string | null;
  /** `owner` is the owner's access policy, null while a vault has none. */
  readonly policy: { readonly acl: unknown; readonly _acl: unknown; readonly owner: null };
}

/** Events that go in one request, and what is written of them. */
export interface EventBatch {
  readonly events: readonly WaitingEvent[];
  readonly items: readonly IngestItem[];
}

/** The most that one request holds. Source: decision P9. */
export const MOST_EVENTS = 100;
/** The most bytes of one request. Source: decision P9. */
export const MOST_BYTES: number = 4 * 1_048_576;

/**
 * Takes of the events, from the first on and without leaving one out, as many as one request holds; one at least.
 *
 * So a stream's events stay in their order: none goes whose predecessor waits. Refuses: never. Source: decision P9.
 */
export function cutBatch(waiting: readonly WaitingEvent[]): EventBatch {
  const events: WaitingEvent[] = [];
  const items: IngestItem[] = [];
  let bytes = 2;
  for (const event of waiting.slice(0, MOST_EVENTS)) {
    if (event.body === undefined) break;
    const { acl, _acl } = JSON.parse(event.policy) as { readonly acl: unknown; readonly _acl: unknown };
    const policy = { acl, _acl, owner: null };
    const item: IngestItem = { body: event.body, requestingPlatform: event.requestingPlatform, policy };
    bytes += Buffer.byteLength(JSON.stringify(item)) + 1;
    if (items.length > 0 && bytes > MOST_BYTES) break;
    events.push(event);
    items.push(item);
  }
  return { events, items };
}
