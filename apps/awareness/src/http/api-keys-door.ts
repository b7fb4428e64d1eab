import { z } from "zod";
import type { Clock } from "@dataspace/service-kit/clock";
import type { Database } from "@dataspace/service-kit/database";
import { makeApiKey } from "../consumers/api-keys.ts";
import type { Identified } from "../consumers/identify-consumer.ts";
import { writeOnce } from "../consumers/spend-token.ts";
import { awarenessRefusal } from "../errors.ts";
import { readInput } from "../read-input.ts";
import { addApiKey, listApiKeys, revokeApiKey } from "../store/api-key-rows.ts";
import type { ConsumerOf } from "./consumer-of.ts";
import type { FastifyInstance, FastifyRequest } from "fastify";

interface ApiKeysDoorDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly consumerOf: ConsumerOf;
}

const PATH = "/api/me/api-keys";
const MAX_KEYS = 20;
/** The body of a new API key. Source: decision E9. */
export const newApiKey: z.ZodType<{ readonly label: string }> = z.strictObject({
  label: z
    .string()
    .min(1)
    .max(100)
    .regex(/^[^\p{Cc}\p{Cs}]*$/u, "must be text without control characters")
    .describe("What the key is for, in your own words."),
});

/**
 * Serves a person's API keys: `POST` makes one, which is shown once, `GET` lists them, `DELETE /:id` revokes one.
 *
 * Refuses: WALLET_REQUIRED for an API key, which must not make others; BAD_REQUEST, TOO_MANY, NOT_FOUND, TOKEN_SPENT.
 * Source: decision E9.
 */
export function mountApiKeys(app: FastifyInstance, deps: ApiKeysDoorDeps): void {
  const { database, clock } = deps;
  const nowAt = () => new Date(clock.nowMs()).toISOString();
  app.post(PATH, async (request, reply) => {
    const asker = await walletHolder(deps.consumerOf, request);
    const { label } = readInput(newApiKey, request.body);
    const { key, id, keyHash } = makeApiKey();
    const at = nowAt();
    const row = { consumerId: asker.consumer.id, keyHash, id, label, at };
    await writeOnce(database, asker, async (tx) => {
      if (await addApiKey(tx, row, MAX_KEYS)) return;
      throw awarenessRefusal("TOO_MANY", `A consumer has at most ${MAX_KEYS} API keys; revoke one.`);
    });
    return reply.code(201).header("cache-control", "no-store").send({ id, label, createdAt: at, key });
  });
  app.get(PATH, async (request) => {
    const { consumer } = await walletHolder(deps.consumerOf, request);
    return { apiKeys: await listApiKeys(database, consumer.id) };
  });
  app.delete<{ Params: { id: string } }>(`${PATH}/:id`, async (request, reply) => {
    const asker = await walletHolder(deps.consumerOf, request);
    const key = { consumerId: asker.consumer.id, id: request.params.id, at: nowAt() };
    await writeOnce(database, asker, async (tx) => {
      if (await revokeApiKey(tx, key)) return;
      throw awarenessRefusal("NOT_FOUND", "You have no API key with this id.");
    });
    return reply.code(204).send();
  });
}

async function walletHolder(consumerOf: ConsumerOf, request: FastifyRequest): Promise<Identified> {
  const asker = await consumerOf(request);
  if (asker.by !== "api-key") return asker;
  throw awarenessRefusal("WALLET_REQUIRED", "Send a wallet token: API keys are made and revoked by the wallet alone.");
}
