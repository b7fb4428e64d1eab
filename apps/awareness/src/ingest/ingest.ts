import type { Clock } from "@dataspace/service-kit/clock";
import type { Database, Queryable } from "@dataspace/service-kit/postgres/database";
import type { IngestedEvent, IngestResult } from "../events/ingested-event.ts";
import { judgeEvents } from "../events/judge-events.ts";
import { isRequester } from "../matching/is-requester.ts";
import { insertDeliveries, type PlannedDelivery } from "../store/delivery-rows.ts";
import { advanceStreams, findKnownEvents, insertEvents, lockStreams } from "../store/event-rows.ts";
import { noteOwnerPolicies } from "../store/owner-policy-rows.ts";
import { findKnownFacts, noteStatedFacts } from "../store/stated-facts-rows.ts";
import { listMatches } from "../store/subscription-matches.ts";

/** `onStored` is called after each commit that stored something. */
export interface IngestDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly onStored: () => void;
}

/** Stores events and their deliveries. */
export type Ingest = (events: readonly IngestedEvent[]) => Promise<readonly IngestResult[]>;

const DELIVERY_WINDOW_MS = 24 * 3_600_000;
const TRIES = 5;
/** Two requests with one event id, or with locks in another order: unique_violation, deadlock, serialisation. */
const REPEATABLE = new Set(["23505", "40P01", "40001"]);

/**
 * Makes the storing of events: one transaction stores the new ones, matches them with subscriptions and queues a
 * delivery for each. It answers only after the commit.
 *
 * In: events in the order of their streams and versions. Out: a result for each, in that order. A stream's lock is held
 * from before its newest version is read until the commit. A request that begins a stream which another request has
 * just begun looks again. So two senders of one event store it once, and the events of one stream are stored in the
 * order of their versions.
 * Refuses: the database's errors; nothing is stored then. Source: decisions E1, E2, E5.
 */
export function createIngest(deps: IngestDeps): Ingest {
  return async (events) => {
    if (events.length === 0) return [];
    const { results, stored } = await repeatedly(() =>
      deps.database.transaction((tx) => store(tx, events, deps.clock)),
    );
    if (stored) deps.onStored();
    return results;
  };
}

async function store(
  tx: Queryable,
  events: readonly IngestedEvent[],
  clock: Clock,
): Promise<{ readonly results: readonly IngestResult[]; readonly stored: boolean }> {
  // Adjacent statements are sent together, and run in this order.
  const [versions, bodies] = await Promise.all([lockStreams(tx, events), findKnownEvents(tx, events)]);
  const { results, accepted } = judgeEvents(events, { bodies, versions });
  if (accepted.length === 0) return { results, stored: false };
  const receivedAtMs = clock.nowMs();
  const [isAhead, known, planned] = await Promise.all([
    // First, so that a later version of a stream is stored after an earlier one.
    advanceStreams(tx, accepted),
    // After it, since from then on nobody else changes these records.
    findKnownFacts(tx, accepted),
    plan(tx, accepted),
    insertEvents(tx, accepted, new Date(receivedAtMs).toISOString()),
    noteOwnerPolicies(
      tx,
      accepted.flatMap(({ ownerPolicy }) => ownerPolicy ?? []),
    ),
  ]);
  if (!isAhead) throw new StreamBegunElsewhere();
  await noteStatedFacts(tx, accepted, known);
  await insertDeliveries(tx, planned, {
    nowAt: new Date(receivedAtMs).toISOString(),
    deadline: new Date(receivedAtMs + DELIVERY_WINDOW_MS).toISOString(),
  });
  return { results, stored: true };
}

/** A subscription matches what its filters admit, unless its platform made the change (decisions E9, E10). */
async function plan(tx: Queryable, accepted: readonly IngestedEvent[]): Promise<readonly PlannedDelivery[]> {
  const matches = await listMatches(tx, accepted);
  return matches.flatMap(({ id, targetUrl, consumer, places }) =>
    places
      .map((place) => accepted[place] as IngestedEvent)
      .filter(({ requestingPlatform }) => !isRequester(consumer, targetUrl, requestingPlatform))
      .map((event) => ({ subscriptionId: id, event })),
  );
}

async function repeatedly<T>(work: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await work();
    } catch (error) {
      if (tried === TRIES || !isRepeatable(error)) throw error;
    }
  }
}

/** Another request has begun a stream that this one considered new, and reached the same version. */
class StreamBegunElsewhere extends Error {}

function isRepeatable(error: unknown): boolean {
  return error instanceof StreamBegunElsewhere || REPEATABLE.has(String((error as { code?: unknown }).code));
}
