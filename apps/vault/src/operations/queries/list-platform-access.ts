import { isOwner } from "../../access/owner.ts";
import type { Caller } from "../../caller/caller.ts";
import { refusal } from "../../errors.ts";
import { readLimit } from "../../paging/page-request.ts";
import { listPlatformAccess, type PlatformAccess } from "../../store/platform-access-rows.ts";
import { assertAuthenticated } from "../assert-authenticated.ts";
import type { ReadDeps } from "../read-deps.ts";

/** A page of what platforms reached. `nextCursor` is null on the last one. */
export interface PlatformAccessPage {
  readonly entries: readonly PlatformAccess[];
  readonly nextCursor: string | null;
}

/**
 * Lists which platforms had access to the owner's records, by which certificate, to which domains, and when: newest first, for the owner
 * alone.
 *
 * Refuses: UNAUTHENTICATED, FORBIDDEN, INVALID_PAGINATION, BAD_CURSOR, BUSY. Source: decisions A2, V3.
 */
export async function listAccessOfPlatforms(
  { database, cursors, budget }: Pick<ReadDeps, "database" | "cursors" | "budget">,
  caller: Caller,
  asked: { readonly limit: number | undefined; readonly cursor: string | undefined },
): Promise<PlatformAccessPage> {
  assertAuthenticated(caller);
  const { owner, principal } = caller;
  if (!isOwner(owner, principal)) throw refusal("FORBIDDEN", "Only the owner sees which platforms had access.");
  const limit = readLimit(asked.limit, "limit");
  const list = `platform-access ${owner}`;
  const below = asked.cursor === undefined ? undefined : cursors.open(list, asked.cursor);
  const rows = await budget.run(() => listPlatformAccess(database, owner, { below, rowLimit: limit + 1 }));
  const entries = rows.slice(0, limit);
  const last = entries.at(-1);
  return { entries, nextCursor: rows.length > limit && last !== undefined ? cursors.seal(list, last.id) : null };
}
