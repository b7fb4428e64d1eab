import { wantedReputation } from "@dataspace/access/decide-by-gates";
import { decideByPolicy } from "@dataspace/access/decide-by-policy";
import { decideForPlatform } from "@dataspace/access/decide-for-platform";
import { policyTerms } from "@dataspace/access/policy-terms";
import { parseAccessPolicy } from "@dataspace/protocol/access-policy";
import { isEName } from "@dataspace/protocol/ename";
import { ACCESS_POLICY_ONTOLOGY, BINDING_DOCUMENT_ONTOLOGY } from "@dataspace/protocol/ontology-id";
import type { PolicyAsker, PolicyFacts } from "@dataspace/access/policy-asker";
import type { AccessPolicy } from "@dataspace/protocol/access-policy";
import type { OwnerPolicyTerms } from "@dataspace/protocol/owner-policy";
import type { EventPolicy } from "./event-policy.ts";
import type { Listener } from "./listener.ts";

/**
 * The subject of the decision: the record's owner, its ontology with its domain, its newest known policy, and the
 * owner's newest terms for platforms.
 */
export interface JudgedRecord {
  readonly dsid: string;
  readonly schemaId: string;
  readonly domain: string | undefined;
  readonly policy: EventPolicy;
  readonly terms: OwnerPolicyTerms;
}

const NEVER_TO_PLATFORMS: ReadonlySet<string> = new Set([BINDING_DOCUMENT_ONTOLOGY, ACCESS_POLICY_ONTOLOGY]);

/** What was found out for a decision: about groups and conditions, and the platform's reputation with the owner's engine. */
export interface HearingFacts {
  readonly policy: PolicyFacts;
  readonly reputation: number | undefined;
}

/** What a decision needs to be found out: the policy whose groups and conditions matter, and whether reputation does. */
export interface OpenQuestion {
  readonly policy: AccessPolicy | undefined;
  readonly wantsReputation: boolean;
}

/**
 * Decides whether a consumer may receive a change. Every attempt and every reading of the feed decides again.
 *
 * Under `_acl` it needs READ as the eName and the platform that it is. Under a legacy array it goes to whom the array
 * lets read and to every platform; binding documents and access policies only to the former. A record with neither goes
 * to nobody. A platform with evidence passes the certificate's domains and the owner's policy first.
 *
 * In: `facts`, needed where `findOpenQuestion` finds something; without them no group gives a grant, every denial
 * applies, and no condition is met. Refuses: never; what cannot be read admits nobody.
 * Source: decisions E4, E9, V12, V23, V24, A2.
 */
export function mayHear(record: JudgedRecord, listener: Listener, facts?: HearingFacts): boolean {
  const { dsid, schemaId, policy } = record;
  if (listener.evidence !== null) return mayHearByEvidence(record, listener.evidence, facts);
  if (policy._acl !== null) return mayReadUnderPolicy(policy._acl, listener, facts);
  if (policy.acl === null) return false;
  if (mayReadUnderArray(dsid, policy.acl, listener)) return true;
  return listener.isPlatform && (listener.isDev || !NEVER_TO_PLATFORMS.has(schemaId));
}

/** Finds what a decision rests on beside the record and the listener; undefined where it rests on nothing else. */
export function findOpenQuestion(
  { policy: { _acl }, terms }: JudgedRecord,
  listener: Listener,
): OpenQuestion | undefined {
  const wantsReputation = listener.evidence !== null && wantedReputation(terms) !== undefined;
  const policy = _acl === null ? undefined : readPolicy(_acl);
  const { enames, conditions } = policy === undefined ? NO_TERMS : policyTerms(policy, askerOf(listener));
  const isOpen = enames.length > 0 || conditions.length > 0;
  return isOpen || wantsReputation ? { policy: isOpen ? policy : undefined, wantsReputation } : undefined;
}

/** The asker of a policy decision that a consumer is. Refuses: never. */
export function askerOf({ ename, platform, evidence }: Listener): PolicyAsker {
  const asker = { authenticated: true, onBehalfOf: null };
  if (evidence !== null) return { ...asker, ename: null, platform: evidence.platform };
  return { ...asker, ename, platform: isEName(platform) ? platform : null };
}

const NO_TERMS = { enames: [], conditions: [] };

function mayHearByEvidence(
  { domain, policy: { acl, _acl, owner }, terms }: JudgedRecord,
  { platform, certified }: NonNullable<Listener["evidence"]>,
  facts: HearingFacts | undefined,
): boolean {
  // An unreadable policy of the owner may require anything.
  if (owner !== null || (_acl === null && acl === null)) return false;
  const policy = _acl === null ? null : readPolicy(_acl);
  if (policy === undefined) return false;
  return decideForPlatform({
    gates: { certified, terms, domain, reputation: facts?.reputation },
    platform,
    onBehalfOf: null,
    policy,
    permission: "READ",
    facts: facts?.policy ?? unknownFacts(policy),
  }).allow;
}

// Every consumer is authenticated, so `*` admits all of them, also one without an eName.
function mayReadUnderArray(dsid: string, acl: readonly string[], { ename }: Listener): boolean {
  if (acl.includes("*")) return true;
  return ename !== null && (ename === dsid || acl.includes(ename));
}

function mayReadUnderPolicy(block: unknown, listener: Listener, known: HearingFacts | undefined): boolean {
  const policy = readPolicy(block);
  if (policy === undefined) return false;
  const facts = known?.policy ?? unknownFacts(policy);
  return decideByPolicy({ policy, asker: askerOf(listener), permission: "READ", facts }).allow;
}

function unknownFacts(policy: AccessPolicy | null): PolicyFacts {
  return { memberOf: new Set(), deniedThrough: new Set(policy?.denials.enames), passed: new Set() };
}

function readPolicy(block: unknown): AccessPolicy | undefined {
  try {
    return parseAccessPolicy(block);
  } catch {
    return undefined;
  }
}
