import type { Caller } from "../../caller/caller.ts";
import { readLimit } from "../../paging/page-request.ts";
import { type LogRow, listLogEntries } from "../../store/log-rows.ts";
import { assertAuthenticated } from "../assert-authenticated.ts";
import type { ReadDeps } from "../read-deps.ts";
import { ontologiesOf } from "./list-meta-envelopes.ts";

/** A page of the operation log. `nextCursor` is null on the last one. */
export interface LogPage {
  readonly entries: readonly LogRow[];
  readonly nextCursor: string | null;
}

/**
 * Lists an owner's log entries, newest first, limited to MetaEnvelopes that the caller may read.
 *
 * Refuses: UNAUTHENTICATED, INVALID_PAGINATION, BAD_CURSOR, BUSY. Source: S1 "GET /logs"; decisions V3, V10.
 */
export async function listVisibleLogEntries(
  { database, cursors, guard, budget }: Omit<ReadDeps, "loadMetaEnvelope">,
  caller: Caller,
  asked: { readonly limit: number | undefined; readonly cursor: string | undefined },
): Promise<LogPage> {
  assertAuthenticated(caller);
  const limit = readLimit(asked.limit, "limit");
  const list = `logs ${caller.owner}`;
  const below = asked.cursor === undefined ? undefined : cursors.open(list, asked.cursor);
  const rows = await budget.run(async () => {
    const visible = { owner: caller.owner, scope: await guard.readScope(caller) };
    return listLogEntries(database, visible, { below, rowLimit: limit + 1 });
  });
  const entries = rows.slice(0, limit);
  await guard.noteAccess(caller, "read", ontologiesOf(entries));
  const last = entries.at(-1);
  return { entries, nextCursor: rows.length > limit && last !== undefined ? cursors.seal(list, last.id) : null };
}
