import { type EName, isEName } from "@dataspace/protocol/ename";
import { z } from "zod";
import type { Clock } from "@dataspace/service-kit/clock";
import type { Database } from "@dataspace/service-kit/database";
import type { Identified } from "../consumers/identify-consumer.ts";
import { writeOnce } from "../consumers/spend-token.ts";
import { awarenessRefusal } from "../errors.ts";
import { readInput } from "../read-input.ts";
import { findOrAddConsumer, listPlatforms, setPlatform } from "../store/consumer-rows.ts";
import type { ConsumerOf } from "./consumer-of.ts";
import type { FastifyInstance, FastifyRequest } from "fastify";

interface PlatformsDoorDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly consumerOf: ConsumerOf;
}

const PATH = "/api/platforms";
const MAX_PLATFORM_CHARACTERS = 512;
/** What an operator says of a platform. Source: decision E9. */
export const platformApproval: z.ZodType<{ readonly platform?: string | undefined }> = z.strictObject({
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
 * Refuses: NOT_AN_ADMIN for everybody whose wallet is not of DS_AWARENESS_ADMINS; BAD_REQUEST, TOKEN_SPENT. Source: decision E9.
 */
export function mountPlatforms(
  app: FastifyInstance,
  deps: PlatformsDoorDeps,
  config: { readonly admins: ReadonlySet<EName> },
): void {
  const { database, clock } = deps;
  const identifyAdmin = (request: FastifyRequest) => findAdmin(deps.consumerOf, request, config.admins);
  const decide = async (admin: Identified, ename: EName, platform: string | null): Promise<void> =>
    writeOnce(database, admin, async (tx) => {
      const { id } = await findOrAddConsumer(tx, ename, new Date(clock.nowMs()).toISOString());
      await setPlatform(tx, id, platform);
    });
  app.get(PATH, async (request) => {
    await identifyAdmin(request);
    return { platforms: await listPlatforms(database) };
  });
  app.put<{ Params: { ename: string } }>(`${PATH}/:ename`, async (request) => {
    const admin = await identifyAdmin(request);
    const ename = readEName(request.params.ename);
    const { platform = ename } = readInput(platformApproval, request.body ?? {});
    await decide(admin, ename, platform);
    return { ename, platform };
  });
  app.delete<{ Params: { ename: string } }>(`${PATH}/:ename`, async (request, reply) => {
    const admin = await identifyAdmin(request);
    await decide(admin, readEName(request.params.ename), null);
    return reply.code(204).send();
  });
}

async function findAdmin(
  consumerOf: ConsumerOf,
  request: FastifyRequest,
  admins: ReadonlySet<EName>,
): Promise<Identified> {
  const asker = await consumerOf(request);
  const { ename } = asker.consumer;
  if (asker.by === "wallet" && ename !== null && admins.has(ename)) return asker;
  throw awarenessRefusal("NOT_AN_ADMIN", "Send a wallet token of an eName in DS_AWARENESS_ADMINS.");
}

function readEName(text: string): EName {
  const ename = text.toLowerCase();
  if (isEName(ename)) return ename;
  throw awarenessRefusal("BAD_REQUEST", "Write the platform's eName in the address, as @ and a UUID.");
}
