import type { IncomingMessage, ServerResponse } from "node:http";
import { createConcurrencyLimit, TooBusy } from "../concurrency-limit.ts";
import { busy, createBodyPool, type OpenBodyHold } from "./body-pool.ts";
import { collectJsonBody } from "./json-body.ts";
import { BASE_VALUES } from "./json-scan.ts";
import { addressKey } from "./rate-limits.ts";
import { Refusal } from "./refusal.ts";
import type { FastifyInstance, FastifyRequest } from "fastify";

declare module "fastify" {
  interface FastifyRequest {
    /** The largest body of this request, in bytes; a hook may set it once it knows the caller. */
    maxBodyBytes: number;
    /**
     * The number of objects, arrays and members that a body of any length may contain; a hook may raise it for a
     * trusted caller.
     */
    baseBodyValues: number;
    /**
     * The holder whose share of memory the body counts against; a hook may set it, otherwise it is the source address.
     */
    bodyHolder: string | undefined;
    /** Calls `giveBack` when the answer is sent or the connection is closed; at once if that has already happened. */
    whenAnswered: (giveBack: () => void) => void;
  }
}

const POOL_BYTES = 64 * 1_048_576;
const ARRIVE_WITHIN_MS = 30_000;
const LARGE_BYTES = 1_048_576;
// A body that is parsed, checked and written occupies about fifteen times its size: as bytes, text, values and
// statements.
const LARGE = { atOnce: 2, mostWaiting: 64, waitMs: 10_000 };

/**
 * Makes an app accept JSON bodies in UTF-8 and no others. All bodies together occupy at most 64 MiB from their first
 * byte to the answer. Two bodies over 1 MiB are processed at a time; others wait up to 10 s.
 *
 * Refuses: as `collectJsonBody`; BUSY (503), UNSUPPORTED_MEDIA_TYPE (415). Source: decisions P9, V2, V25.
 */
export function acceptOnlyJson(app: FastifyInstance, bodyLimitBytes: number): void {
  const openHold = createBodyPool(POOL_BYTES);
  const enterLarge = createConcurrencyLimit(LARGE);
  app.decorateRequest("maxBodyBytes", bodyLimitBytes);
  app.decorateRequest("baseBodyValues", BASE_VALUES);
  app.decorateRequest("bodyHolder", undefined);
  app.decorateRequest("whenAnswered", () => undefined);
  app.addHook("onRequest", (request, reply, done) => {
    request.whenAnswered = (giveBack) => whenAnswered(reply.raw, giveBack);
    done();
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    /^application\/json\s*(?:;\s*charset="?utf-8"?\s*)?$/i,
    async (request: FastifyRequest, body: IncomingMessage) => {
      const encoding = request.headers["content-encoding"];
      if (encoding !== undefined && encoding !== "identity")
        throw unsupported("Send the body without Content-Encoding.");
      return readBody(request, body, { openHold, enterLarge });
    },
  );
  app.addContentTypeParser("*", async () => {
    throw unsupported("Send the body as application/json, in UTF-8.");
  });
}

async function readBody(
  request: FastifyRequest,
  body: IncomingMessage,
  rooms: { readonly openHold: OpenBodyHold; readonly enterLarge: ReturnType<typeof createConcurrencyLimit> },
): Promise<unknown> {
  const holder = request.bodyHolder ?? addressKey(request);
  const hold = rooms.openHold(holder);
  request.whenAnswered(hold.release);
  const { maxBodyBytes: limitBytes, baseBodyValues: baseValues } = request;
  const bounds = { limitBytes, baseValues, arriveWithinMs: ARRIVE_WITHIN_MS, hold };
  const arrived = await collectJsonBody(body, bounds);
  if (arrived.sizeBytes > LARGE_BYTES) request.whenAnswered(await enter(rooms.enterLarge, holder));
  return arrived.parse();
}

async function enter(enterLarge: ReturnType<typeof createConcurrencyLimit>, caller: string): Promise<() => void> {
  try {
    return await enterLarge({ caller });
  } catch (error) {
    throw error instanceof TooBusy ? busy() : error;
  }
}

// An event that preceded its listener never comes again.
function whenAnswered(response: ServerResponse, giveBack: () => void): void {
  if (response.closed) giveBack();
  else response.once("close", giveBack);
}

function unsupported(message: string): Refusal {
  return new Refusal("UNSUPPORTED_MEDIA_TYPE", message, { status: 415 });
}
