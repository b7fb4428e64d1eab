import { isDeepStrictEqual } from "node:util";
import type { Queryable } from "@dataspace/service-kit/postgres/database";
import { listenerOf } from "../consumers/listener-of.ts";
import { readFeed } from "../feed/read-feed.ts";
import type { Sequencer } from "../feed/sequencer.ts";
import { findLastPosition } from "../store/feed-rows.ts";
import type { ConsumerOf } from "./consumer-of.ts";
import { readFeedRequest, readPosition } from "./feed-request.ts";
import { createStreams } from "./feed-streams.ts";
import type { FastifyInstance, FastifyRequest } from "fastify";

interface FeedDoorDeps {
  readonly database: Queryable;
  readonly consumerOf: ConsumerOf;
  readonly sequencer: Pick<Sequencer, "untilGrown">;
}

/**
 * Serves the feed of events to consumers: `GET /api/packets` by pages, `GET /api/packets/stream` as server-sent events, whose ids
 * are the places in the feed. Both in the order in which events came in, so each record's in the order of its versions.
 *
 * In: `cursor` (a stream also takes Last-Event-ID), `limit`, `ontology`, `vault`. A page without a cursor begins at the oldest
 * event, a stream at the next one. A reader that was away for longer than events are kept is told that there is a gap. Refuses: BAD_REQUEST, BAD_CURSOR, TOO_MANY. Source: decisions E4, E7.
 */
export function mountFeed(app: FastifyInstance, deps: FeedDoorDeps, config: Parameters<typeof listenerOf>[1]): void {
  const { database, consumerOf } = deps;
  const streams = createStreams(app, deps.sequencer);
  app.get("/api/packets", async (request, reply) => {
    const { consumer } = await consumerOf(request);
    const { after, ...wanted } = readFeedRequest(request.query);
    const page = await readFeed(database, listenerOf(consumer, config), { ...wanted, after: after ?? 0 });
    // Who begins at the oldest event has missed none.
    const gap = after !== undefined && page.gap;
    // Each text as the vault wrote it, to the byte.
    const packets = page.packets.map(({ body }) => body).join(",");
    return reply
      .type("application/json; charset=utf-8")
      .send(`{"packets":[${packets}],"cursor":"${page.position}","more":${page.more},"gap":${gap}}`);
  });
  app.get("/api/packets/stream", async (request, reply) => {
    const { consumer } = await consumerOf(request);
    const listener = listenerOf(consumer, config);
    const { after, ...wanted } = readFeedRequest(request.query);
    const from = readLastEventId(request) ?? after ?? (await findLastPosition(database));
    await streams.open(reply, {
      consumerId: consumer.id,
      from,
      read: (position) => readFeed(database, listener, { ...wanted, after: position }),
      isAllowed: async () => {
        const { consumer: now } = await consumerOf(request);
        return isDeepStrictEqual(listenerOf(now, config), listener);
      },
    });
  });
}

function readLastEventId(request: FastifyRequest): number | undefined {
  const text = request.headers["last-event-id"];
  return text === undefined ? undefined : readPosition(text);
}
