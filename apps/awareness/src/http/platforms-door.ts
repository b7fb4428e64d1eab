import { type EName, isEName } from "@dataspace/protocol/ename";
import { z } from "zod";
import type { Clock } from "@dataspace/service-kit/clock";
import type { Queryable } from "@dataspace/service-kit/database";
import { awarenessRefusal } from "../errors.ts";
import { readInput } from "../read-input.ts";
import { findOrAddConsumer, listPlatforms, setPlatform } from "../store/consumer-rows.ts";
import type { ConsumerOf } from "./consumer-of.ts";
import type { FastifyInstance, FastifyRequest } from "fastify";

interface PlatformsDoorDeps {
  readonly database: Queryable;
  readonly clock: Clock;
  readonly consumerOf: ConsumerOf;
}

const PATH = "/api/platforms";
const MAX_PLATFORM_CHARACTERS = 512;
/** What an operator says of a platform. Source: decision E9. */
const platformApproval: z.ZodType<{ readonly platform?: string | undefined }> = z.strictObject({
  platform: z
    .string()
    .min(1)
    .max(MAX_PLATFORM_CHARACTERS)
    .regex(/^[^\p{Cc}\p{Cs}]*$/u, "must be text without control characters")
    .optional()
    .describe("The name by which its writes are known; without it, its eName."),
});

/**
 * Serves the operator's word on who counts as a platform: `GET` lists them, `PUT /:ename` approves one, under the name by which
 * its writes are known (its eName when none is given), `DELETE /:ename` takes that back.
 *
 * Refuses: NOT_AN_ADMIN for everybody whose wallet is not of DS_AWARENESS_ADMINS; BAD_REQUEST. Source: decision E9.
 */
export function mountPlatforms(
  app: FastifyInstance,
  deps: PlatformsDoorDeps,
  config: { readonly admins: ReadonlySet<EName> },
): void {
  const { database, clock } = deps;
  const assertAdmin = (request: FastifyRequest) => assertIsAdmin(deps.consumerOf, request, config.admins);
  const consumerOfEName = (ename: EName) => findOrAddConsumer(database, ename, new Date(clock.nowMs()).toISOString());
  app.get(PATH, async (request) => {
    await assertAdmin(request);
    return { platforms: await listPlatforms(database) };
  });
  app.put<{ Params: { ename: string } }>(`${PATH}/:ename`, async (request) => {
    await assertAdmin(request);
    const ename = readEName(request.params.ename);
    const { platform = ename } = readInput(platformApproval, request.body ?? {});
    await setPlatform(database, (await consumerOfEName(ename)).id, platform);
    return { ename, platform };
  });
  app.delete<{ Params: { ename: string } }>(`${PATH}/:ename`, async (request, reply) => {
    await assertAdmin(request);
    await setPlatform(database, (await consumerOfEName(readEName(request.params.ename))).id, null);
    return reply.code(204).send();
  });
}

async function assertIsAdmin(
  consumerOf: ConsumerOf,
  request: FastifyRequest,
  admins: ReadonlySet<EName>,
): Promise<void> {
  const { consumer, by } = await consumerOf(request);
  const isAdmin = by === "wallet" && consumer.ename !== null && admins.has(consumer.ename);
  if (!isAdmin) throw awarenessRefusal("NOT_AN_ADMIN", "Send a wallet token of an eName in DS_AWARENESS_ADMINS.");
}

function readEName(text: string): EName {
  const ename = text.toLowerCase();
  if (isEName(ename)) return ename;
  throw awarenessRefusal("BAD_REQUEST", "Write the platform's eName in the address, as @ and a UUID.");
}
