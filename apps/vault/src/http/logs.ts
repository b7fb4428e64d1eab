import { listVisibleLogEntries } from "../operations/queries/list-log-entries.ts";
import type { OpenReadBudget } from "../operations/read-budget.ts";
import type { ReadDeps } from "../operations/read-deps.ts";
import type { LogRow } from "../store/log-rows.ts";
import { type AddressedDeps, addressedCaller } from "./addressed-request.ts";
import { openBudget } from "./open-budget.ts";
import { type PageQuery, readPageQuery } from "./page-query.ts";
import type { FastifyInstance } from "fastify";

/** The dependencies of the log endpoint. */
export interface LogsDoorDeps {
  readonly addressed: AddressedDeps;
  readonly reads: Omit<ReadDeps, "loadMetaEnvelope" | "budget">;
  readonly openReadBudget: OpenReadBudget;
}

/**
 * GET /logs: an owner's operation log, newest first.
 *
 * In: query `limit` (20, at most 100) and `cursor`. Out: `{logs, nextCursor, hasMore}`.
 * Refuses: UNAUTHENTICATED (401), INVALID_PAGINATION, BAD_CURSOR (400). Source: S1 "GET /logs"; decision V10.
 */
export function mountLogs(app: FastifyInstance, deps: LogsDoorDeps): void {
  app.get<{ Querystring: PageQuery }>("/logs", async (request, reply) => {
    const caller = await addressedCaller(deps.addressed, request);
    const asked = readPageQuery(request.query);
    const { entries, nextCursor } = await listVisibleLogEntries(
      { ...deps.reads, budget: openBudget(deps, caller, reply) },
      caller,
      asked,
    );
    return { logs: entries.map((entry) => toLogEntry(caller.owner, entry)), nextCursor, hasMore: nextCursor !== null };
  });
}

function toLogEntry(owner: string, { at, ...entry }: LogRow) {
  return { ...entry, eName: owner, timestamp: at.toISOString() };
}
