import { listAccessOfPlatforms } from "../operations/queries/list-platform-access.ts";
import { addressedCaller } from "./addressed-request.ts";
import type { LogsDoorDeps } from "./logs.ts";
import { openBudget } from "./open-budget.ts";
import { type PageQuery, readPageQuery } from "./page-query.ts";
import type { FastifyInstance } from "fastify";

/**
 * GET /platform-access: which platforms had access to the owner's records, newest first, for the owner alone.
 *
 * In: query `limit` (20, at most 100) and `cursor`. Out: `{entries, nextCursor, hasMore}`; an entry is one domain and one certificate on
 * one day: `{id, platform, deployment, version, level, issuer, certificateId, domain, action, firstAt, lastAt}`.
 * Refuses: UNAUTHENTICATED (401), FORBIDDEN (403), INVALID_PAGINATION, BAD_CURSOR (400). Source: decision A2.
 */
export function mountPlatformAccess(app: FastifyInstance, deps: LogsDoorDeps): void {
  app.get<{ Querystring: PageQuery }>("/platform-access", async (request, reply) => {
    const caller = await addressedCaller(deps.addressed, request);
    const { entries, nextCursor } = await listAccessOfPlatforms(
      { ...deps.reads, budget: openBudget(deps, caller, reply) },
      caller,
      readPageQuery(request.query),
    );
    return { entries, nextCursor, hasMore: nextCursor !== null };
  });
}
