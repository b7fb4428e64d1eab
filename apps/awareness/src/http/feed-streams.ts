import { once } from "node:events";
import { awarenessRefusal } from "../errors.ts";
import type { FeedPage } from "../feed/read-feed.ts";
import type { Sequencer } from "../feed/sequencer.ts";
import type { FastifyInstance, FastifyReply } from "fastify";

/** One stream: whose it is, where it begins, and how the feed is read after a place. */
export interface StreamRequest {
  readonly consumerId: string;
  readonly from: number;
  readonly read: (after: number) => Promise<FeedPage>;
}

/** The open streams of an app. */
export interface Streams {
  /** Writes events until the other side goes, or its time is over. Refuses: TOO_MANY. */
  readonly open: (reply: FastifyReply, request: StreamRequest) => Promise<void>;
}

const MAX_PER_CONSUMER = 5;
/** Then the consumer comes again with its Last-Event-ID, and is asked for its credential anew. */
const LIFETIME_MS = 15 * 60_000;
const SILENCE_MS = 15_000;
/** Under a name of its own, so that who does not know it hears only events. */
const GAP = "event: gap\ndata: {}\n\n";

/**
 * Makes the place where server-sent events are written: at most 5 streams for each consumer, each for 15 minutes, with a comment
 * every 15 s of silence. All end when the app closes.
 *
 * Source: decision E7; WHATWG HTML "Server-sent events".
 */
export function createStreams(app: FastifyInstance, sequencer: Pick<Sequencer, "untilGrown">): Streams {
  const open = new Map<string, number>();
  const closing = new AbortController();
  app.addHook("preClose", async () => closing.abort());
  const count = (consumerId: string, change: number): void => {
    const left = (open.get(consumerId) ?? 0) + change;
    if (left > 0) open.set(consumerId, left);
    else open.delete(consumerId);
  };
  return {
    open: async (reply, request) => {
      if ((open.get(request.consumerId) ?? 0) >= MAX_PER_CONSUMER) {
        throw awarenessRefusal("TOO_MANY", `A consumer has at most ${MAX_PER_CONSUMER} streams open; close one.`);
      }
      count(request.consumerId, 1);
      try {
        await writeStream(reply, request, { sequencer, closing: closing.signal });
      } finally {
        count(request.consumerId, -1);
      }
    },
  };
}

async function writeStream(
  reply: FastifyReply,
  { from, read }: StreamRequest,
  { sequencer, closing }: { readonly sequencer: Pick<Sequencer, "untilGrown">; readonly closing: AbortSignal },
): Promise<void> {
  const gone = new AbortController();
  reply.raw.on("close", () => gone.abort());
  reply.hijack();
  const headers = { ...reply.getHeaders(), "content-type": "text/event-stream", "cache-control": "no-store" };
  reply.raw.writeHead(200, headers as Record<string, string>).flushHeaders();
  const ended = AbortSignal.any([gone.signal, closing, AbortSignal.timeout(LIFETIME_MS)]);
  try {
    let position = from;
    let spokeAtMs = performance.now();
    while (!ended.aborted) {
      const page = await read(position);
      if (page.gap || page.packets.length > 0 || performance.now() - spokeAtMs > SILENCE_MS) {
        const text = (page.gap ? GAP : "") + page.packets.map(toMessage).join("") || ":\n\n";
        if (!reply.raw.write(text)) await once(reply.raw, "drain", { signal: ended });
        spokeAtMs = performance.now();
      }
      position = page.position;
      if (!page.more) await sequencer.untilGrown(ended);
    }
  } catch (error) {
    // The answer has begun: all that can be told is that it ends, and the consumer comes again from where it was.
    if (!ended.aborted) reply.log.warn({ err: error }, "a stream of events broke off");
  }
  reply.raw.end();
}

function toMessage({ position, body }: FeedPage["packets"][number]): string {
  return `id: ${position}\n${body
    .split(/\r\n|[\r\n]/)
    .map((line) => `data: ${line}\n`)
    .join("")}\n`;
}
