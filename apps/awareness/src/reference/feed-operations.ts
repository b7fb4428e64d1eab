import { z } from "zod";
import { feedQuery, pageQuery } from "../http/feed-request.ts";
import { EXAMPLE_EVENT } from "./examples.ts";
import type { AwarenessGroup } from "./operation.ts";

const packet = z
  .looseObject({ ontology: z.string(), receivedAt: z.iso.datetime() })
  .describe("The members of `Event` as the vault wrote them, then `ontology` (its `schemaId`) and `receivedAt`.");
const page = z.strictObject({
  packets: z.array(packet).describe("The events."),
  cursor: z.string().describe("Where to go on."),
  more: z.boolean().describe("Whether to go on at once, since there is more by now."),
  gap: z
    .boolean()
    .describe(
      "Whether events after `cursor` were deleted before they were read, since they are retained for 30 days. Read again from the vaults what must not be missing. False without a cursor.",
    ),
  hasMore: z.boolean().describe("The same as `more`."),
  nextCursor: z.string().nullable().describe("The same as `cursor` while there is more; null at the end."),
});
const EXAMPLE_PACKET = {
  ...EXAMPLE_EVENT,
  ontology: EXAMPLE_EVENT["schemaId"],
  receivedAt: "2026-11-22T09:30:00.120Z",
};
const packetPath = z.strictObject({ id: z.guid().describe("The event's `eventId`.") });
const lastEventId = z.strictObject({
  "last-event-id": z
    .string()
    .regex(/^\d{1,15}$/)
    .optional()
    .describe("The `id` of the last event that was read; it counts before `cursor`."),
});

/** How events are read without webhooks. Source: decisions E4, E7. */
export const feedOperations: AwarenessGroup = {
  name: "Feed",
  says: "Every event that the consumer may hear by the newest policy of its record, in the order in which they came in; a record's in the order of its versions. What the consumer wrote itself is not in it.",
  schemas: {},
  operations: [
    {
      id: "readFeed",
      method: "get",
      route: "/api/packets",
      summary: "Read the feed",
      says: "Without a cursor it begins at the oldest event. A page may be empty and yet have `more`: what is between may not be heard.",
      caller: "consumer",
      query: pageQuery,
      answers: [
        {
          status: 200,
          says: "A page of events.",
          schema: page,
          example: {
            packets: [EXAMPLE_PACKET],
            cursor: "42",
            more: false,
            gap: false,
            hasMore: false,
            nextCursor: null,
          },
        },
      ],
      refuses: ["BAD_CURSOR", "STATUS_UNAVAILABLE"],
    },
    {
      id: "followFeed",
      method: "get",
      route: "/api/packets/stream",
      summary: "Follow the feed",
      says: "The same as server-sent events: `id` is the place in the feed, `data` the event. Without a cursor it begins at the next event. It ends after 15 minutes; come again with `Last-Event-ID` then. A message of type `gap` says that events since the given place were dropped before they were read. A consumer has at most 5 streams open.",
      caller: "consumer",
      query: feedQuery,
      headers: lastEventId,
      answers: [
        {
          status: 200,
          says: "Events as they come, and a comment after 15 s of silence.",
          mediaType: "text/event-stream",
          schema: z.string(),
          example: `id: 42\ndata: ${JSON.stringify(EXAMPLE_EVENT)}\n\n`,
        },
      ],
      refuses: ["BAD_CURSOR", "TOO_MANY"],
    },
    {
      id: "readPacket",
      method: "get",
      route: "/api/packets/:id",
      summary: "Read one event",
      says: "An event by its `eventId`, while the consumer may read its record.",
      caller: "consumer",
      path: packetPath,
      answers: [
        {
          status: 200,
          says: "The event.",
          schema: z.strictObject({ packet }),
          example: { packet: EXAMPLE_PACKET },
        },
      ],
      refuses: ["NOT_FOUND", "STATUS_UNAVAILABLE"],
    },
  ],
};
