import type { Refusal } from "@dataspace/service-kit/http/refusal";
import type { Queryable } from "@dataspace/service-kit/postgres/database";
import { writesAsGuest } from "../../access/owner.ts";
import type { Caller } from "../../caller/caller.ts";
import { refusal } from "../../errors.ts";
import type { Change } from "../../meta-envelopes/change.ts";
import { envelopeHash } from "../../meta-envelopes/envelope-hash.ts";
import type { StoredMetaEnvelope } from "../../meta-envelopes/stored-meta-envelope.ts";
import { commitChange } from "../../store/commit-change.ts";
import { toQuotaItem } from "../../store/quota-item.ts";
import type { WriteDeps } from "../write-deps.ts";
import type { Draft } from "./draft.ts";
import { draftGroupStatement } from "./draft-group-statement.ts";
import { warnOfLockout } from "./warn-of-lockout.ts";

/**
 * A draft with the MetaEnvelope it was made from (undefined at creation), and the transaction to write it in, if any.
 */
export interface DraftToCommit {
  readonly before: StoredMetaEnvelope | undefined;
  readonly draft: Draft;
  readonly transaction?: Queryable;
}

/**
 * Commits a draft as one change by its caller.
 *
 * Out: `conflict`, with nothing written, when the MetaEnvelope has changed since `before`.
 * Refuses: as `draftGroupStatement`; TOKEN_SPENT; QUOTA_EXCEEDED, but not for a removal or a replaced policy. Source:
 * decisions I6, V8, V21.
 */
export async function commitDraft(
  deps: WriteDeps,
  caller: Caller,
  toCommit: DraftToCommit,
): Promise<"written" | "conflict"> {
  const { before, draft, transaction } = toCommit;
  await deps.guard.noteAccess(caller, "write", [draft.after.ontology, before?.ontology ?? draft.after.ontology]);
  const { store } = deps;
  const database = transaction ?? store.database;
  const groupStatement = await draftGroupStatement(database, caller, toCommit);
  const commit = (on: Queryable) => {
    const change = draftToChange(deps, caller, toCommit);
    const toWrite = { change, payload: draft.payload, tokenUse: caller.tokenUse, groupStatement };
    const { traceCommit } = store;
    if (traceCommit === undefined) return commitChange(on, { ...toWrite, traceparent: null });
    return traceCommit((traceparent) => commitChange(on, { ...toWrite, traceparent }));
  };
  const guest = writesAsGuest(caller, before);
  const items = [toQuotaItem({ ...draft, before })];
  const underOwnerLock = transaction === undefined ? store.underOwnerLock : undefined;
  const isExempt = draft.operation === "delete" || draft.replacesPolicy === true;
  const outcome = await (isExempt
    ? commit(database)
    : store.withinQuota({ database, underOwnerLock, owner: caller.owner, guest, items }, (on, granted) => {
        if (granted === 0) throw quotaExceeded(guest);
        return commit(on);
      }));
  if (outcome === "written") {
    deps.announce();
    await warnOfLockout(deps, caller, { before, after: draft.after });
  }
  if (outcome !== "token-spent") return outcome;
  throw tokenSpent();
}

/** The refusal when the owner's quota, or that of guests, is exceeded. Source: decision V21. */
export function quotaExceeded(guest: boolean): Refusal {
  const message = guest
    ? "This vault has reached its quota for what others than its owner write without the owner's grant."
    : "The owner has reached the quota of this vault for MetaEnvelopes, or for the bytes of versions and files.";
  return refusal("QUOTA_EXCEEDED", message);
}

/** Turns a draft into a change: adds the caller, the time and new ids. */
export function draftToChange(
  { clock, ids: { newUuid } }: Pick<WriteDeps, "clock" | "ids">,
  caller: Caller,
  { before, draft }: DraftToCommit,
): Change {
  const { owner, platform, author, subject, credential } = caller;
  return {
    owner,
    before,
    after: draft.after,
    operation: draft.operation,
    logOperation: draft.logOperation,
    announced: draft.announced === undefined ? draft.operation : draft.announced,
    restoredFrom: draft.restoredFrom ?? null,
    envelopeHash: envelopeHash(draft.hashed),
    writer: { platform, author, subject, credential },
    byGuest: writesAsGuest(caller, before),
    at: new Date(clock.nowMs()).toISOString(),
    eventId: newUuid(),
    baselineLogId: before?.version === 0 ? newUuid() : undefined,
    logId: newUuid(),
  };
}

/** The refusal of a wallet token's second writing request. Source: decision I6. */
export function tokenSpent(): Refusal {
  return refusal(
    "TOKEN_SPENT",
    "This wallet token has served its one writing request; have the wallet issue a new one.",
  );
}
