import type { Queryable } from "@dataspace/service-kit/postgres/database";
import type { Listener } from "../matching/listener.ts";
import { mayHear } from "../matching/may-hear.ts";
import { isInFilter, isRequester } from "../matching/subscription-matches.ts";
import { type FeedEntry, findHorizon, listFeedBodies, listFeedEntries } from "../store/feed-rows.ts";

/** Which part of the feed is asked for. Empty filters want everything. */
export interface FeedRequest {
  readonly after: number;
  readonly limit: number;
  readonly ontologyFilter: readonly string[];
  readonly vaultFilter: readonly string[];
}

/**
 * Events in the feed's order, each with its place and its webhook text; `position` is where to go on, `more` whether at once, `gap`
 * whether events after the place that was asked for are gone.
 */
export interface FeedPage {
  readonly packets: readonly { readonly position: number; readonly body: string }[];
  readonly position: number;
  readonly more: boolean;
  readonly gap: boolean;
}

const SCAN = 250;
const MAX_SCANS = 8;
const MAX_BODY_BYTES = 4 * 1_048_576;

/**
 * Reads the feed as one consumer may hear it: by the newest policy of each record, without what it wrote itself, and no more than
 * 4 MiB or 2,000 events looked at, so that what others may not hear costs little.
 *
 * Refuses: never. Source: decisions E4, E7, E10.
 */
export async function readFeed(on: Queryable, listener: Listener, request: FeedRequest): Promise<FeedPage> {
  const heard: number[] = [];
  let position = request.after;
  let bytes = 0;
  // The bodies come first and the horizon last: what is purged in between is missing and told.
  const page = async (more: boolean): Promise<FeedPage> => {
    const packets = await listFeedBodies(on, heard);
    const horizon = await findHorizon(on);
    // At its end there is nothing below the horizon that was not read.
    const reached = more ? position : Math.max(position, horizon);
    return { packets, position: reached, more, gap: request.after < horizon };
  };
  for (let scans = 0; scans < MAX_SCANS; scans += 1) {
    const entries = await listFeedEntries(on, position, SCAN);
    for (const entry of entries) {
      if (isHeard(entry, listener, request)) {
        const isFull = heard.length === request.limit || (heard.length > 0 && bytes + entry.bodyBytes > MAX_BODY_BYTES);
        if (isFull) return page(true);
        heard.push(entry.position);
        bytes += entry.bodyBytes;
      }
      position = entry.position;
    }
    if (entries.length < SCAN) return page(false);
  }
  return page(true);
}

function isHeard(entry: FeedEntry, listener: Listener, { ontologyFilter, vaultFilter }: FeedRequest): boolean {
  return (
    isInFilter(ontologyFilter, entry.schemaId) &&
    isInFilter(vaultFilter, entry.dsid) &&
    !isRequester(listener, null, entry.requestingPlatform) &&
    mayHear(entry, listener)
  );
}
