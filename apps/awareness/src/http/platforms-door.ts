import type { Platforms } from "../consumers/platforms.ts";
import type { ConsumerOf } from "./consumer-of.ts";
import type { FastifyInstance } from "fastify";

type ByEName = { readonly Params: { readonly ename: string } };

const PATH = "/api/platforms";

/**
 * Serves the operator's approvals of platforms: `GET` lists them, `PUT /:ename` approves one, under the name that its
 * writes carry (its eName when none is given), `DELETE /:ename` withdraws an approval.
 *
 * Refuses: as `Platforms` and `ConsumerOf`. Source: decision E9.
 */
export function mountPlatforms(
  app: FastifyInstance,
  { consumerOf, platforms }: { readonly consumerOf: ConsumerOf; readonly platforms: Platforms },
): void {
  app.get(PATH, async (request) => ({ platforms: await platforms.list(await consumerOf(request)) }));
  app.put<ByEName>(`${PATH}/:ename`, async (request) =>
    platforms.approve(await consumerOf(request), request.params.ename, request.body),
  );
  app.delete<ByEName>(`${PATH}/:ename`, async (request, reply) => {
    await platforms.withdraw(await consumerOf(request), request.params.ename);
    return reply.code(204).send();
  });
}
