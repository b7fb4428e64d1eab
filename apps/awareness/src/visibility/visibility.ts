import { createHash } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import type { Queryable } from "@dataspace/service-kit/postgres/database";
import type { EventPolicy } from "../matching/event-policy.ts";
import type { Listener } from "../matching/listener.ts";
import { findOpenQuestion, type JudgedRecord, mayHear } from "../matching/may-hear.ts";
import { listOwnerPolicies, textToTerms } from "../store/owner-policy-rows.ts";
import { listPolicies, type RecordName } from "../store/policy-rows.ts";
import type { Hearing } from "./hearing.ts";

/** The record of a decision: its owner, its id, the ontology of the event, and its newest known version. */
export interface AskedRecord extends RecordName {
  readonly schemaId: string;
  readonly newestVersion: number;
}

/** The decisions about records, in their order, and how many bytes of policies were read for them. */
export interface Decisions {
  readonly isVisible: readonly boolean[];
  readonly policyBytes: number;
}

/** Decides which records a consumer may receive now. Refuses: the database's errors. */
export type DecideVisibility = (listener: Listener, records: readonly AskedRecord[]) => Promise<Decisions>;

const MAX_DECISIONS = 50_000;
/** A decision's cache key has some 150 characters, at most 600. */
const MAX_KEY_CHARACTERS = 16 * 1_048_576;
const READ_BYTES = 1_048_576;
/** Parsing this much takes a few milliseconds; then others have their turn. */
const TURN_BYTES = 65_536;

/**
 * Makes the decision by the newest known policy of each record. Decisions are cached by the record's newest version,
 * with which its policy changes, and by the policy's text, which many records share: at most 50,000 of each. Policies
 * outside the cache are read a mebibyte at a time and parsed 64 KiB at a time, so that other requests run in between.
 * For a platform with evidence the owners' policies are read at each call, and a cached decision is valid only for the
 * same owner's policy. A decision that rests on groups, conditions or reputation is made each time.
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
    const listener = await hearing.standingOf(asking);
    const owners = listener.evidence === null ? NO_POLICIES : await listOwnerPolicies(database, dsidsOf(records));
    const askerOf = createAskerOf(listener, owners);
    const keys = records.map((record) => versionKey(askerOf(record), record));
    const known = new Map(keys.map((key) => [key, byVersion.get(key)]));
    let left = records.filter((_, index) => known.get(keys[index] as string) === undefined);
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
        const outcome = policy === undefined ? false : decide(byPolicy, { asker, listener, record, policy, about });
        if (typeof outcome === "object") open.push({ key, judged: outcome });
        else {
          known.set(key, outcome);
          byVersion.set(key, outcome);
        }
        policyBytes += policy?.length ?? 0;
        turnBytes += policy?.length ?? 0;
        if (turnBytes < TURN_BYTES) continue;
        turnBytes = 0;
        await nextTurn();
      }
      const decided = await hearing.decide(
        listener,
        open.map(({ judged }) => judged),
      );
      for (const [index, { key }] of open.entries()) known.set(key, decided[index] === true);
      left = left.slice(read);
    }
    return { isVisible: keys.map((key) => known.get(key) === true), policyBytes };
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

type CachedDecisions = LRUCache<string, boolean>;

function createDecisions(): CachedDecisions {
  const sizeCalculation = (_: boolean, key: string): number => key.length;
  return new LRUCache({ max: MAX_DECISIONS, maxSize: MAX_KEY_CHARACTERS, sizeCalculation });
}

// Out: the decision, or the record as it is to be judged, where the decision rests on more than these texts.
function decide(
  cache: CachedDecisions,
  asked: {
    readonly asker: string;
    readonly listener: Listener;
    readonly record: AskedRecord;
    readonly policy: string;
    readonly about: Pick<JudgedRecord, "domain" | "terms">;
  },
): boolean | JudgedRecord {
  const { asker, listener, record, policy, about } = asked;
  const { dsid, schemaId } = record;
  const digest = createHash("sha256").update(policy).digest("base64");
  const key = `${asker} ${dsid} ${digest} ${schemaId}`;
  const cached = cache.get(key);
  if (cached !== undefined) return cached;
  const judged = { ...about, dsid, schemaId, policy: JSON.parse(policy) as EventPolicy };
  if (findOpenQuestion(judged, listener) !== undefined) return judged;
  const isVisible = mayHear(judged, listener);
  cache.set(key, isVisible);
  return isVisible;
}

function versionKey(asker: string, { dsid, recordId, schemaId, newestVersion }: AskedRecord): string {
  return `${asker} ${dsid} ${newestVersion} ${JSON.stringify(recordId)} ${schemaId}`;
}

function nameKey({ dsid, recordId }: RecordName): string {
  return `${dsid} ${recordId}`;
}
