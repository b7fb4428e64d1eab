import { type GroupStatement, namesOf } from "@dataspace/access/facts/group-statement";
import type { Queryable, Statement } from "@dataspace/service-kit/postgres/database";
import type { Change } from "../meta-envelopes/change.ts";
import { changeEventBody } from "../meta-envelopes/change-event-body.ts";
import { envelopeHash } from "../meta-envelopes/envelope-hash.ts";
import type { Payload } from "../meta-envelopes/payload.ts";
import { payloadToSearchText } from "../meta-envelopes/search-text.ts";
import type { StoredMetaEnvelope } from "../meta-envelopes/stored-meta-envelope.ts";
import { type ChangeForm, COUNTER_SLOTS, changeStatementText } from "./change-statement.ts";
import { toQuotaItem } from "./quota-item.ts";
import type { TokenUse } from "./token-use.ts";

/** One change to commit: the change itself, its payload as a value, the wallet token it spends, if any. */
export interface ChangeToCommit {
  readonly change: Change;
  readonly payload: Payload;
  readonly tokenUse: TokenUse | undefined;
  /** What it states about the group that the owner is; null: nothing from now on, undefined: unaffected. */
  readonly groupStatement: GroupStatement | null | undefined;
  /** The span of this commit, for the event; null without one. */
  readonly traceparent: string | null;
}

/** `written`, or `conflict` when the stored MetaEnvelope differs from the one that the change was made from. */
export type CommitOutcome = "written" | "conflict" | "token-spent";

const UNIQUE_VIOLATION = "23505";

/**
 * Commits one change: MetaEnvelope, version and log entry, counters, event and lane, in one statement, and so in one
 * transaction and one round trip. Bulk creates use `commitBulk`.
 *
 * Out: `written`; `conflict` and nothing written when `change.before` is no longer the stored version; `token-spent`
 * and nothing written when the wallet token has served another request.
 * Source: S1 "Events" 1; decisions V8, I6.
 */
export async function commitChange(database: Queryable, toCommit: ChangeToCommit): Promise<CommitOutcome> {
  const { change, tokenUse } = toCommit;
  const spends = tokenUse !== undefined && !tokenUse.spent;
  const form: ChangeForm = {
    creates: change.before === undefined,
    baseline: change.before?.version === 0,
    restricts: change.after.aclBlock !== null,
    announces: change.announced !== null,
    spends,
    says: says(toCommit.groupStatement),
  };
  const written = await runOnce(database, changeStatement(form, toCommit));
  if (written === "written" && spends) tokenUse.spent = true;
  return written;
}

async function runOnce(database: Queryable, statement: Statement): Promise<CommitOutcome> {
  try {
    const { rows } = await database.query<{ written: number }>(statement);
    if (rows[0] === undefined) throw new Error("the write statement answered no row");
    return rows[0].written === 1 ? "written" : "conflict";
  } catch (error) {
    if (isTokenSpent(error)) return "token-spent";
    if ((error as { code?: string }).code === UNIQUE_VIOLATION) return "conflict";
    throw error;
  }
}

/** Checks whether a statement failed because its wallet token was already spent. */
export function isTokenSpent(error: unknown): boolean {
  const { code, constraint } = error as { code?: string; constraint?: string };
  return code === UNIQUE_VIOLATION && constraint?.startsWith("spent_token") === true;
}

function changeStatement(form: ChangeForm, toCommit: ChangeToCommit): Statement {
  const { change, tokenUse, groupStatement } = toCommit;
  const values = baseValues(toCommit);
  if (form.announces) values.push(...eventValues(change), toCommit.traceparent);
  if (change.before !== undefined) values.push(change.before.version);
  if (form.baseline) values.push(...baselineValues(change));
  values.push(chooseCounterSlot(), ...countMoves(change));
  if (form.spends) values.push((tokenUse as TokenUse).token, (tokenUse as TokenUse).expiresAt);
  if (groupStatement) values.push(...groupStatementValues(groupStatement));
  return { ...changeStatementText(form), values };
}

function says(groupStatement: GroupStatement | null | undefined): ChangeForm["says"] {
  return groupStatement === undefined ? "as-before" : groupStatement === null ? "nothing" : "members";
}

/**
 * Writes a group statement as a row: its writer, the whole statement, whom its grants count, and whom its denials bind.
 */
export function groupStatementValues({ byOwner, granted, denied }: GroupStatement): readonly unknown[] {
  const whole = JSON.stringify({ granted, denied });
  return [byOwner, whole, byOwner ? namesOf(granted) : [], denied === null ? null : namesOf(denied)];
}

function baseValues({ change, payload }: ChangeToCommit): unknown[] {
  const { owner, after, writer } = change;
  return [
    owner,
    after.id,
    after.ontology,
    after.payloadText,
    isOwnerAlone(owner, after.acl) ? null : after.acl,
    after.aclBlock,
    after.version,
    after.removed,
    writer.credential,
    after.ord,
    payloadToSearchText(payload),
    change.at,
    change.logId,
    change.operation,
    change.envelopeHash,
    writer.platform,
    writer.author,
    writer.subject,
    change.restoredFrom,
    change.logOperation ?? null,
    after.quarantined,
    after.openedBy,
    after.guest,
  ];
}

/** Picks one of an owner's counter slots at random. */
export function chooseCounterSlot(): number {
  return Math.floor(Math.random() * COUNTER_SLOTS);
}

/** Checks whether an array is the owner alone. Almost every one is, so it is not stored in every row. */
export function isOwnerAlone(owner: string, acl: readonly string[]): boolean {
  return acl.length === 1 && acl[0] === owner;
}

function baselineValues({ before, baselineLogId }: Change): readonly unknown[] {
  const { id, ontology, payloadText } = before as StoredMetaEnvelope;
  return [baselineLogId, ontology, payloadText, envelopeHash({ id, ontology, payloadText })];
}

function eventValues(change: Change): readonly unknown[] {
  const body = changeEventBody(change);
  return [change.eventId, body.beforeData, body.data, body.beforeKey, body.afterKey, policyText(change.after)];
}

/** The policy in force, sent beside an event, as JSON. Source: decision E5. */
export function policyText({ acl, aclBlock }: Pick<StoredMetaEnvelope, "acl" | "aclBlock">): string {
  return `{"acl":${JSON.stringify(acl)},"_acl":${aclBlock ?? "null"}}`;
}

// The changes of the counters: ontologies, active MetaEnvelopes without `_acl`, those of guests, bytes, and bytes of
// guests. Sorted, so that two changes with the same two ontologies lock the counters in the same order.
function countMoves(change: Change): readonly (readonly (string | number)[])[] {
  const { before, after, byGuest } = change;
  const { bytes } = toQuotaItem(change);
  const ontologies = [...new Set([before?.ontology ?? after.ontology, after.ontology])].sort();
  const moveOf = (isCounted: (metaEnvelope: StoredMetaEnvelope) => boolean) =>
    ontologies.map((ontology) => {
      const has = (one: StoredMetaEnvelope | undefined) => Number(one?.ontology === ontology && isCounted(one));
      return has(after) - has(before);
    });
  const written = ontologies.map((ontology) => (ontology === after.ontology ? bytes : 0));
  const none = ontologies.map(() => 0);
  return [
    ontologies,
    moveOf(({ removed, aclBlock }) => !removed && aclBlock === null),
    moveOf(({ removed, guest }) => !removed && guest),
    byGuest ? none : written,
    byGuest ? written : none,
  ];
}
