import { isDeepStrictEqual } from "node:util";
import { isUuid } from "@dataspace/protocol/uuid";
import type { Queryable } from "@dataspace/service-kit/postgres/database";
import { listenerOf } from "../consumers/listener-of.ts";
import { awarenessRefusal } from "../errors.ts";
import type { Feed } from "../feed/read-feed.ts";
import type { Sequencer } from "../feed/sequencer.ts";
import { type FeedBody, findLastPosition } from "../store/feed-rows.ts";
import type { ConsumerOf } from "./consumer-of.ts";
import { readFeedRequest, readPageRequest, readPosition } from "./feed-request.ts";
import { createStreams } from "./feed-streams.ts";
import type { FastifyInstance, FastifyRequest } from "fastify";

interface FeedDoorDeps {
  readonly database: Queryable;
  readonly feed: Feed;
  readonly consumerOf: ConsumerOf;
  readonly sequencer: Pick<Sequencer, "untilGrown">;
}

const JSON_TYPE = "application/json; charset=utf-8";

/**
 * Serves the feed of events to consumers: `GET /api/packets` by pages, `GET /api/packets/:id` one event by its eventId,
 * `GET /api/packets/stream` as server-sent events, whose ids are the places in the feed. Pages and stream are in the order of
 * receipt, so each record's events are in the order of its versions.
 *
 * In: `cursor` (a stream also takes Last-Event-ID), `limit`, `ontology`, `vault`; a page also `from` and `to`. A page
 * without a cursor begins at the oldest event, a stream at the next one. A reader that was away for longer than events
 * are retained receives a gap.
 * Refuses: BAD_REQUEST, BAD_CURSOR, TOO_MANY, NOT_FOUND, STATUS_UNAVAILABLE. Source: decisions E4, E7.
 */
export function mountFeed(app: FastifyInstance, deps: FeedDoorDeps, config: Parameters<typeof listenerOf>[1]): void {
  const { database, feed, consumerOf } = deps;
  const streams = createStreams(app, deps.sequencer);
  app.get("/api/packets", async (request, reply) => {
    const { consumer } = await consumerOf(request);
    const { after, ...wanted } = readPageRequest(request.query);
    const page = await feed.read(listenerOf(consumer, config), { ...wanted, after: after ?? 0 });
    // A reader that begins at the oldest event has missed none.
    const gap = after !== undefined && page.gap;
    const { more, position } = page;
    const rest = { cursor: String(position), more, gap, hasMore: more, nextCursor: more ? String(position) : null };
    const packets = page.packets.map(writePacket).join(",");
    return reply.type(JSON_TYPE).send(`{"packets":[${packets}],${JSON.stringify(rest).slice(1)}`);
  });
  app.get<{ Params: { id: string } }>("/api/packets/:id", async (request, reply) => {
    const { consumer } = await consumerOf(request);
    const { id } = request.params;
    const packet = isUuid(id) ? await feed.find(listenerOf(consumer, config), id) : undefined;
    if (packet === undefined) throw awarenessRefusal("NOT_FOUND", "There is no such event that you may read now.");
    return reply.type(JSON_TYPE).send(`{"packet":${writePacket(packet)}}`);
  });
  app.get("/api/packets/stream", async (request, reply) => {
    const { consumer } = await consumerOf(request);
    const listener = listenerOf(consumer, config);
    const { after, ...wanted } = readFeedRequest(request.query);
    const from = readLastEventId(request) ?? after ?? (await findLastPosition(database));
    await streams.open(reply, {
      consumerId: consumer.id,
      from,
      read: (position) => feed.read(listener, { ...wanted, after: position }),
      isAllowed: async () => {
        const { consumer: now } = await consumerOf(request);
        return isDeepStrictEqual(listenerOf(now, config), listener);
      },
    });
  });
}

// The exact text from the vault, with two members added at the end.
function writePacket({ body, schemaId, receivedAt }: FeedBody): string {
  const end = body.lastIndexOf("}");
  return `${body.slice(0, end)},"ontology":${JSON.stringify(schemaId)},"receivedAt":"${receivedAt}"}`;
}

function readLastEventId(request: FastifyRequest): number | undefined {
  const text = request.headers["last-event-id"];
  return text === undefined ? undefined : readPosition(text);
}
