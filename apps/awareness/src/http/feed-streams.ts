import { once } from "node:events";
import { awarenessRefusal } from "../errors.ts";
import type { FeedPage } from "../feed/read-feed.ts";
import type { Sequencer } from "../feed/sequencer.ts";
import type { FastifyInstance, FastifyReply } from "fastify";

/**
 * One stream: its consumer, where it begins, how the feed is read after a place, and whether the consumer may still
 * have it.
 */
export interface StreamRequest {
  readonly consumerId: string;
  readonly from: number;
  readonly read: (after: number) => Promise<FeedPage>;
  readonly isAllowed: () => Promise<boolean>;
}

/** The open streams of an app. */
export interface Streams {
  /** Writes events until the other side disconnects, or its time is over. Refuses: TOO_MANY. */
  readonly open: (reply: FastifyReply, request: StreamRequest) => Promise<void>;
}

const MAX_PER_CONSUMER = 5;
/** The consumer then reconnects with its Last-Event-ID, and its credential is checked again. */
const LIFETIME_MS = 15 * 60_000;
const SILENCE_MS = 15_000;
/** How often the credential is checked again; with the check itself that is within the 5 s of E7. */
const CHECK_MS = 3_000;
/** A reader that leaves a message unread for longer is cut off. */
const UNREAD_MS = 30_000;
/** Under a distinct name, so that a client that does not know it receives only events. */
const GAP = "event: gap\ndata: {}\n\n";
const COMMENT = ":\n\n";

/**
 * Makes the writer of server-sent events: at most 5 streams for each consumer, each for 15 minutes, with a comment
 * every 15 s of silence. A stream ends within 5 s of the loss of its credential, and is cut off when a message is not
 * read for 30 s. One message is written at a time, so that a reader which does not read has one message in the socket's
 * buffer. All end when the app closes. In: `unreadMs`, for tests.
 *
 * Source: decisions E7, V25; WHATWG HTML "Server-sent events".
 */
export function createStreams(
  app: FastifyInstance,
  sequencer: Pick<Sequencer, "untilGrown">,
  unreadMs: number = UNREAD_MS,
): Streams {
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
        await writeStream(reply, request, { sequencer, closing: closing.signal, unreadMs });
      } finally {
        count(request.consumerId, -1);
      }
    },
  };
}

interface StreamSurroundings {
  readonly sequencer: Pick<Sequencer, "untilGrown">;
  readonly closing: AbortSignal;
  readonly unreadMs: number;
}

async function writeStream(
  reply: FastifyReply,
  { from, read, isAllowed }: StreamRequest,
  { sequencer, closing, unreadMs }: StreamSurroundings,
): Promise<void> {
  const gone = new AbortController();
  reply.raw.on("close", () => gone.abort());
  // The other side may have disconnected while its credential was checked: no later event reports that.
  if (reply.raw.destroyed) gone.abort();
  const lost = new AbortController();
  const check = startCheck(isAllowed, lost);
  reply.hijack();
  const headers = { ...reply.getHeaders(), "content-type": "text/event-stream", "cache-control": "no-store" };
  reply.raw.writeHead(200, headers as Record<string, string>).flushHeaders();
  const ended = AbortSignal.any([gone.signal, lost.signal, closing, AbortSignal.timeout(LIFETIME_MS)]);
  try {
    let position = from;
    let spokeAtMs = performance.now();
    while (!ended.aborted) {
      const page = await read(position);
      if (page.gap || page.packets.length > 0 || performance.now() - spokeAtMs > SILENCE_MS) {
        const messages = [...(page.gap ? [GAP] : []), ...page.packets.map(toMessage)];
        for (const message of messages.length > 0 ? messages : [COMMENT]) {
          await write(reply.raw, message, { ended, unreadMs });
        }
        spokeAtMs = performance.now();
      }
      position = page.position;
      if (!page.more) await sequencer.untilGrown(ended);
    }
  } catch (error) {
    // The answer has begun: the stream can only end, and the consumer reconnects from where it was.
    if (!ended.aborted) reply.log.warn({ err: error }, "a stream of events broke off");
  } finally {
    clearInterval(check);
  }
  // It does not wait for unread data where the other side does not read it.
  if (reply.raw.writableNeedDrain) reply.raw.destroy();
  else reply.raw.end();
}

async function write(
  raw: FastifyReply["raw"],
  message: string,
  { ended, unreadMs }: { readonly ended: AbortSignal; readonly unreadMs: number },
): Promise<void> {
  ended.throwIfAborted();
  if (raw.write(message)) return;
  await once(raw, "drain", { signal: AbortSignal.any([ended, AbortSignal.timeout(unreadMs)]) });
}

/** A check that fails ends the stream too: the consumer reconnects. */
function startCheck(isAllowed: () => Promise<boolean>, lost: AbortController): NodeJS.Timeout {
  return setInterval(() => {
    isAllowed().then(
      (allowed) => {
        if (!allowed) lost.abort();
      },
      () => lost.abort(),
    );
  }, CHECK_MS);
}

function toMessage({ position, body }: FeedPage["packets"][number]): string {
  return `id: ${position}\n${body
    .split(/\r\n|[\r\n]/)
    .map((line) => `data: ${line}\n`)
    .join("")}\n`;
}
