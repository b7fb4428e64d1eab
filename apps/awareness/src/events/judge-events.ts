import type { IngestedEvent, IngestResult } from "./ingested-event.ts";

/** The known facts about a request's events: the bodies of known events by id, the newest version by stream. */
export interface KnownEvents {
  readonly bodies: ReadonlyMap<string, string>;
  readonly versions: ReadonlyMap<string, number>;
}

/** The result of every event, in the given order, and the events to store. */
export interface Judgement {
  readonly results: readonly IngestResult[];
  readonly accepted: readonly IngestedEvent[];
}

const MOST_ABOVE_NEWEST = 1_000;
/** A record may have a history before its first event here: its vault moved, or its events went to another service. */
const MOST_OF_FIRST = 1_000_000;

/**
 * Judges events in the order of their streams' versions. An event with a known id is a duplicate, or a conflict when
 * its text differs. An event that is not above its stream's newest version is a duplicate, whatever its id. An event is
 * rejected if it is more than 1,000 above that version, or is a stream's first and above 1,000,000. All others are
 * accepted.
 *
 * Refuses: never. Source: decision E5.
 */
export function judgeEvents(events: readonly IngestedEvent[], known: KnownEvents): Judgement {
  const bodies = new Map(known.bodies);
  const versions = new Map(known.versions);
  const accepted: IngestedEvent[] = [];
  const results = events.map((event): IngestResult => {
    const id = event.eventId.toLowerCase();
    const body = bodies.get(id);
    if (body !== undefined) {
      return { eventId: event.eventId, status: body === event.body ? "duplicate" : "conflict" };
    }
    const stream = streamKey(event);
    const newest = versions.get(stream);
    if (event.streamVersion <= (newest ?? 0)) return { eventId: event.eventId, status: "duplicate" };
    const most = newest === undefined ? MOST_OF_FIRST : newest + MOST_ABOVE_NEWEST;
    if (event.streamVersion > most) return { eventId: event.eventId, status: "rejected", code: "VERSION_GAP" };
    bodies.set(id, event.body);
    versions.set(stream, event.streamVersion);
    accepted.push(event);
    return { eventId: event.eventId, status: "accepted" };
  });
  return { results, accepted };
}

/** The owner and the id of a record. */
export type RecordKey = Pick<IngestedEvent, "dsid" | "recordId">;

/** Identifies the stream of an event: its owner and its record. Refuses: never. */
export function streamKey({ dsid, recordId }: RecordKey): string {
  return `${dsid} ${recordId}`;
}
