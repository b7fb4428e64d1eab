import type { Queryable } from "@dataspace/service-kit/postgres/database";
import { isRequester } from "../matching/is-requester.ts";
import type { Listener } from "../matching/listener.ts";
import {
  type FeedBody,
  type FeedEntry,
  findFeedEvent,
  findHorizon,
  findPositionBefore,
  listFeedBodies,
  listFeedEntries,
} from "../store/feed-rows.ts";
import { requireStanding } from "../visibility/require-standing.ts";
import type { DecideVisibility } from "../visibility/visibility.ts";

/** The requested part of the feed. Empty filters match everything; `fromMs` and `toMs` limit the time of receipt. */
export interface FeedRequest {
  readonly after: number;
  readonly limit: number;
  readonly ontologyFilter: readonly string[];
  readonly vaultFilter: readonly string[];
  readonly fromMs?: number | undefined;
  readonly toMs?: number | undefined;
}

/**
 * Events in the feed's order; `position` is where the next page starts, `more` whether it can follow at once, `gap`
 * whether events after the requested place have been deleted.
 */
export interface FeedPage {
  readonly packets: readonly FeedBody[];
  readonly position: number;
  readonly more: boolean;
  readonly gap: boolean;
}

/** The feed as one consumer may read it. */
export interface Feed {
  readonly read: (listener: Listener, request: FeedRequest) => Promise<FeedPage>;
  /** Finds one event; undefined where the consumer may not receive it or it does not exist. */
  readonly find: (listener: Listener, eventId: string) => Promise<FeedBody | undefined>;
}

const SCAN = 500;
const MAX_SCANS = 4;
const MAX_BODY_BYTES = 4 * 1_048_576;
/** Parsing this much takes a tenth of a second; the page then ends, and its reader continues with the next one. */
const MAX_POLICY_BYTES = 2 * 1_048_576;
const DECIDED_AT_ONCE = 50;
/** How far the order of receipt may differ from that of places. */
const DISORDER_MS = 60_000;

/**
 * Makes the reader of the feed: by the newest policy of each record, without the consumer's own writes. A page looks at
 * 2,000 events and reads at most 2 MiB of policies and 4 MiB of bodies, so that hidden events cost little.
 *
 * Refuses: STATUS_UNAVAILABLE, so that a reader's place does not move past events that are not decided; the database's
 * errors. Source: decisions E4, E7, E10, V25.
 */
export function createFeed(deps: { readonly database: Queryable; readonly decideVisibility: DecideVisibility }): Feed {
  return {
    read: (listener, request) => readPage(deps, listener, request),
    find: async (listener, eventId) => {
      const event = await findFeedEvent(deps.database, eventId);
      if (event === undefined || isRequester(listener, null, event.requestingPlatform)) return undefined;
      const [isVisible] = requireStanding(await deps.decideVisibility(listener, [event]));
      return isVisible === true ? { ...event, position: 0 } : undefined;
    },
  };
}

async function readPage(
  { database, decideVisibility }: Parameters<typeof createFeed>[0],
  listener: Listener,
  request: FeedRequest,
): Promise<FeedPage> {
  const page = createPage(request);
  let position = await findStart(database, request);
  let policyBytes = 0;
  // The bodies come first and the horizon last: an event deleted in between is missing and reported as a gap.
  const end = async (more: boolean): Promise<FeedPage> => {
    const packets = await listFeedBodies(database, page.positions);
    const horizon = await findHorizon(database);
    // At its end there is nothing below the horizon that was not read.
    const reached = more ? position : Math.max(position, horizon);
    return { packets, position: reached, more, gap: request.after < horizon };
  };
  for (let scans = 0; scans < MAX_SCANS; scans += 1) {
    const { entries, upTo, isFull } = await listFeedEntries(database, { ...request, after: position, scan: SCAN });
    const wanted = entries.filter((entry) => isWanted(entry, listener, request));
    for (let start = 0; start < wanted.length; start += DECIDED_AT_ONCE) {
      if (policyBytes >= MAX_POLICY_BYTES) return end(true);
      const part = wanted.slice(start, start + DECIDED_AT_ONCE);
      const decisions = await decideVisibility(listener, part);
      const isVisible = requireStanding(decisions);
      policyBytes += decisions.policyBytes;
      for (const [index, entry] of part.entries()) {
        if (isVisible[index] === true && !page.add(entry)) return end(true);
        position = entry.position;
      }
    }
    position = upTo;
    const last = entries.at(-1);
    if (!isFull || (last !== undefined && isPast(last, request))) return end(false);
  }
  return end(true);
}

/** The places of a page; `add` returns whether there was capacity for one more. */
function createPage({ limit }: FeedRequest) {
  const positions: number[] = [];
  let bytes = 0;
  return {
    positions,
    add: ({ position, bodyBytes }: FeedEntry): boolean => {
      if (positions.length === limit || (positions.length > 0 && bytes + bodyBytes > MAX_BODY_BYTES)) return false;
      positions.push(position);
      bytes += bodyBytes;
      return true;
    },
  };
}

async function findStart(database: Queryable, { after, fromMs }: FeedRequest): Promise<number> {
  if (fromMs === undefined) return after;
  return Math.max(after, await findPositionBefore(database, new Date(fromMs - DISORDER_MS)));
}

function isWanted(entry: FeedEntry, listener: Listener, { fromMs, toMs }: FeedRequest): boolean {
  const { receivedAtMs, requestingPlatform } = entry;
  if (receivedAtMs < (fromMs ?? receivedAtMs) || receivedAtMs > (toMs ?? receivedAtMs)) return false;
  return !isRequester(listener, null, requestingPlatform);
}

function isPast({ receivedAtMs }: FeedEntry, { toMs }: FeedRequest): boolean {
  return toMs !== undefined && receivedAtMs > toMs + DISORDER_MS;
}
