import type { ApiKeys } from "../consumers/api-keys.ts";
import type { ConsumerOf } from "./consumer-of.ts";
import type { FastifyInstance } from "fastify";

const PATH = "/api/me/api-keys";

/**
 * Serves a person's API keys: `POST` creates one, which is shown once, `GET` lists them, `DELETE /:id` revokes one.
 *
 * Refuses: as `ApiKeys` and `ConsumerOf`. Source: decision E9.
 */
export function mountApiKeys(
  app: FastifyInstance,
  { consumerOf, apiKeys }: { readonly consumerOf: ConsumerOf; readonly apiKeys: ApiKeys },
): void {
  app.post(PATH, async (request, reply) => {
    const added = await apiKeys.add(await consumerOf(request), request.body);
    return reply.code(201).header("cache-control", "no-store").send(added);
  });
  app.get(PATH, async (request) => ({ apiKeys: await apiKeys.list(await consumerOf(request)) }));
  app.delete<{ Params: { id: string } }>(`${PATH}/:id`, async (request, reply) => {
    await apiKeys.revoke(await consumerOf(request), request.params.id);
    return reply.code(204).send();
  });
}
