import { createHash } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import type { Queryable } from "@dataspace/service-kit/postgres/database";
import type { EventPolicy } from "../matching/event-policy.ts";
import type { Listener } from "../matching/listener.ts";
import type { JudgedRecord } from "../matching/may-hear.ts";
import { listOwnerPolicies, textToTerms } from "../store/owner-policy-rows.ts";
import { listPolicies, type RecordName } from "../store/policy-rows.ts";
import { type AccessOutcome, toOutcome, withStanding } from "./decide-access.ts";
import { answerGrantQuestion, type GrantQuestion, toGrantQuestion } from "./grant-question.ts";
import type { Hearing, Standing } from "./hearing.ts";

/** The record of a decision: its owner, its id, the ontology of the event, and its newest known version. */
export interface AskedRecord extends RecordName {
  readonly schemaId: string;
  readonly newestVersion: number;
}

/**
 * The decisions about records, in their order; whether the listener's certificate is known to hold or not; and how many
 * bytes of policies were read.
 */
export interface Decisions {
  readonly outcomes: readonly AccessOutcome[];
  readonly isStandingKnown: boolean;
  readonly policyBytes: number;
}

/** Decides which records a consumer may receive now. Refuses: the database's errors. */
export type DecideVisibility = (listener: Listener, records: readonly AskedRecord[]) => Promise<Decisions>;

const MAX_DECISIONS = 50_000;
/** A decision's cache key has some 150 characters, at most 600, and each eName of a question 37. */
const MAX_KEY_CHARACTERS = 16 * 1_048_576;
const ENAME_CHARACTERS = 37;
const READ_BYTES = 1_048_576;
/** Parsing this much takes a few milliseconds; then others have their turn. */
const TURN_BYTES = 65_536;

/**
 * Makes the decision by the newest known policy of each record. Decisions are cached by the record's newest version,
 * with which its policy changes, and by the policy's text, which many records share: at most 50,000 of each. Policies
 * outside the cache are read a mebibyte at a time and parsed 64 KiB at a time, so that other requests run in between.
 * For a platform with evidence the owners' policies are read at each call, and a cached decision is valid only for the
 * same owner's policy. Where a decision rests on groups of grants alone, these groups are cached, and looked up at each
 * call. A decision that rests on denied groups, conditions or reputation is made each time.
 *
 * In: `domains`, the domain of every ontology that has one. Source: decisions E4, E7, E9, V25.
 */
export function createDecideVisibility(
  { database, hearing }: { readonly database: Queryable; readonly hearing: Hearing },
  { domains }: { readonly domains: ReadonlyMap<string, string> },
): DecideVisibility {
  const byVersion = createDecisions();
  const byPolicy = createDecisions();
  return async (asking, records) => {
    const standing = await hearing.standingOf(asking);
    const { listener } = standing;
    const owners = listener.evidence === null ? NO_POLICIES : await listOwnerPolicies(database, dsidsOf(records));
    const askerOf = createAskerOf(listener, owners);
    const keys = records.map((record) => versionKey(askerOf(record), record));
    const known = new Map<string, Decision | AccessOutcome>();
    for (const key of keys) {
      const cached = byVersion.get(key);
      if (cached !== undefined) known.set(key, cached);
    }
    let left = records.filter((_, index) => !known.has(keys[index] as string));
    let policyBytes = 0;
    let turnBytes = 0;
    while (left.length > 0) {
      const { policies, read } = await listPolicies(database, left, READ_BYTES);
      const policyByName = new Map(policies.map((one) => [nameKey(one), one.policy]));
      const open: { readonly key: string; readonly judged: JudgedRecord }[] = [];
      for (const record of left.slice(0, read)) {
        const policy = policyByName.get(nameKey(record));
        const asker = askerOf(record);
        const key = versionKey(asker, record);
        const about = { domain: domains.get(record.schemaId), terms: textToTerms(owners.get(record.dsid)) };
        const made = policy === undefined ? false : decide(byPolicy, { asker, listener, record, policy, about });
        if (isRecord(made)) open.push({ key, judged: made });
        else {
          known.set(key, made);
          byVersion.set(key, made);
        }
        policyBytes += policy?.length ?? 0;
        turnBytes += policy?.length ?? 0;
        if (turnBytes < TURN_BYTES) continue;
        turnBytes = 0;
        await nextTurn();
      }
      const judged = open.map((one) => one.judged);
      const decided = await hearing.decide(standing, judged);
      for (const [index, { key }] of open.entries()) known.set(key, decided[index] ?? "denied");
      left = left.slice(read);
    }
    const outcomeOf = await createOutcomeOf(hearing, standing, known);
    return { outcomes: keys.map(outcomeOf), isStandingKnown: standing.isKnown, policyBytes };
  };
}

/** Asks for the memberships that cached decisions rest on, once for all. */
async function createOutcomeOf(
  hearing: Hearing,
  { listener, isKnown }: Standing,
  known: ReadonlyMap<string, Decision | AccessOutcome>,
): Promise<(key: string) => AccessOutcome> {
  const names = [...known.values()].flatMap((one) => (typeof one === "object" ? [...one.reading, ...one.others] : []));
  const groups = await hearing.groupsOf(listener, [...new Set(names)]);
  return (key) => {
    const one = known.get(key) ?? false;
    if (typeof one === "string") return one;
    const isAdmitted = typeof one === "object" ? answerGrantQuestion(one, groups) : one;
    return withStanding(toOutcome(isAdmitted), isKnown);
  };
}

const NO_POLICIES: ReadonlyMap<string, string> = new Map();

function dsidsOf(records: readonly AskedRecord[]): readonly string[] {
  return records.map(({ dsid }) => dsid);
}

/** Identifies the asker and the owner's policy, for the keys of decisions. */
function createAskerOf(listener: Listener, owners: ReadonlyMap<string, string>): (record: AskedRecord) => string {
  const digest = (text: string) => createHash("sha256").update(text).digest("base64");
  // Domains and policies are long, and the same for many records.
  const asker = listener.evidence === null ? JSON.stringify(listener) : digest(JSON.stringify(listener));
  const marks = new Map([...owners].map(([dsid, statement]) => [dsid, `${asker} ${digest(statement)}`]));
  return ({ dsid }) => marks.get(dsid) ?? asker;
}

/** A decision, or the groups that it rests on. */
type Decision = boolean | GrantQuestion;
type CachedDecisions = LRUCache<string, Decision>;

function createDecisions(): CachedDecisions {
  return new LRUCache({ max: MAX_DECISIONS, maxSize: MAX_KEY_CHARACTERS, sizeCalculation: sizeOf });
}

function sizeOf(decision: Decision, key: string): number {
  if (typeof decision === "boolean") return key.length;
  return key.length + ENAME_CHARACTERS * (decision.reading.length + decision.others.length);
}

// Out: the decision, or the record as it is to be judged, where the decision rests on more than these texts and groups.
function decide(
  cache: CachedDecisions,
  asked: {
    readonly asker: string;
    readonly listener: Listener;
    readonly record: AskedRecord;
    readonly policy: string;
    readonly about: Pick<JudgedRecord, "domain" | "terms">;
  },
): Decision | JudgedRecord {
  const { asker, listener, record, policy, about } = asked;
  const { dsid, schemaId } = record;
  const digest = createHash("sha256").update(policy).digest("base64");
  const key = `${asker} ${dsid} ${digest} ${schemaId}`;
  const cached = cache.get(key);
  if (cached !== undefined) return cached;
  const judged = { ...about, dsid, schemaId, policy: JSON.parse(policy) as EventPolicy };
  const decision = toGrantQuestion(judged, listener);
  if (decision === undefined) return judged;
  cache.set(key, decision);
  return decision;
}

function isRecord(made: Decision | JudgedRecord): made is JudgedRecord {
  return typeof made === "object" && "policy" in made;
}

function versionKey(asker: string, { dsid, recordId, schemaId, newestVersion }: AskedRecord): string {
  return `${asker} ${dsid} ${newestVersion} ${JSON.stringify(recordId)} ${schemaId}`;
}

function nameKey({ dsid, recordId }: RecordName): string {
  return `${dsid} ${recordId}`;
}
