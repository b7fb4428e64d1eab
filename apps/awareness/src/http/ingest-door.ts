import { requireBearerSecret } from "@dataspace/service-kit/http/bearer-secret";
import type { Refusal } from "@dataspace/service-kit/http/refusal";
import type { Secret } from "@dataspace/service-kit/secret";
import { awarenessRefusal } from "../errors.ts";
import { readEvents } from "../events/read-events.ts";
import type { Ingest } from "../ingest/ingest.ts";
import type { FastifyInstance } from "fastify";

/** Larger than the largest event that a vault can write, so that no record blocks its stream (decision E8). */
const BODY_LIMIT_BYTES = 4 * 1_048_576;

/**
 * Serves `POST /ingest` to vaults: one event, or a list, each with its result. It answers once they are stored.
 *
 * Out: 200, or 409 when one of them is a conflict; the others are stored all the same.
 * Refuses: UNAUTHENTICATED, INVALID_EVENT, PAYLOAD_TOO_LARGE; 503 while the storage does not answer.
 * Source: S1 "Events"; decisions E5, E8, P9.
 */
export function mountIngest(
  app: FastifyInstance,
  deps: { readonly ingest: Ingest },
  config: { readonly ingestSecret: Secret },
): void {
  app.register((guarded, _options, done) => {
    guarded.addHook("onRequest", requireBearerSecret(config.ingestSecret, otherSecret));
    guarded.addHook("onRequest", async (request) => {
      request.maxBodyBytes = BODY_LIMIT_BYTES;
    });
    guarded.post("/ingest", async (request, reply) => {
      const results = await deps.ingest(readEvents(request.body));
      return reply.code(results.some(({ status }) => status === "conflict") ? 409 : 200).send({ results });
    });
    done();
  });
}

function otherSecret(): Refusal {
  return awarenessRefusal("UNAUTHENTICATED", "Send DS_INGEST_SECRET as Authorization: Bearer <secret>.");
}
