import type { IngestedEvent, IngestResult } from "./ingested-event.ts";

/** What is known before a request's events are judged: the bodies of known events by id, the newest version by stream. */
export interface KnownEvents {
  readonly bodies: ReadonlyMap<string, string>;
  readonly versions: ReadonlyMap<string, number>;
}

/** The result of every event, in the order given, and those to store. */
export interface Judgement {
  readonly results: readonly IngestResult[];
  readonly accepted: readonly IngestedEvent[];
}

/**
 * Judges events in the order of their streams' versions: one whose id is known is a duplicate, or a conflict when its text is
 * another; one that is not above its stream's newest version is a duplicate too, whatever its id; the rest are accepted.
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
    if (event.streamVersion <= (versions.get(stream) ?? 0)) return { eventId: event.eventId, status: "duplicate" };
    bodies.set(id, event.body);
    versions.set(stream, event.streamVersion);
    accepted.push(event);
    return { eventId: event.eventId, status: "accepted" };
  });
  return { results, accepted };
}

/** Names the stream of an event: its owner and its record. Refuses: never. */
export function streamKey({ dsid, recordId }: Pick<IngestedEvent, "dsid" | "recordId">): string {
  return `${dsid} ${recordId}`;
}
