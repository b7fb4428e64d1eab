import { decideByPolicy } from "@dataspace/access/decide-by-policy";
import { decideForPlatform } from "@dataspace/access/decide-for-platform";
import { parseAccessPolicy } from "@dataspace/protocol/access-policy";
import { isEName } from "@dataspace/protocol/ename";
import { ACCESS_POLICY_ONTOLOGY, BINDING_DOCUMENT_ONTOLOGY } from "@dataspace/protocol/ontology-id";
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

/**
 * Decides whether a consumer may receive a change. Every attempt and every reading of the feed decides again.
 *
 * Under `_acl` it needs READ as the eName and the platform that it is. Only the policy's text is known here. Group
 * members are unknown, so no group gives a grant; a denied eName may be a group, so every denial applies; and no
 * condition is met. Under a legacy array it goes to whom the array lets read and to every platform; binding documents
 * and access policies only to the former. A record with neither goes to nobody. A platform with evidence passes the
 * certificate's domains and the owner's policy first; no reputation is known here.
 *
 * Refuses: never; what cannot be read admits nobody. Source: decisions E4, E9, V12, V23, V24, A2.
 */
export function mayHear(record: JudgedRecord, listener: Listener): boolean {
  const { dsid, schemaId, policy } = record;
  if (listener.evidence !== null) return mayHearByEvidence(record, listener.evidence);
  if (policy._acl !== null) return mayReadUnderPolicy(policy._acl, listener);
  if (policy.acl === null) return false;
  if (mayReadUnderArray(dsid, policy.acl, listener)) return true;
  return listener.isPlatform && (listener.isDev || !NEVER_TO_PLATFORMS.has(schemaId));
}

function mayHearByEvidence(
  { domain, policy: { acl, _acl, owner }, terms }: JudgedRecord,
  { platform, certified }: NonNullable<Listener["evidence"]>,
): boolean {
  // An unreadable policy of the owner may require anything.
  if (owner !== null || (_acl === null && acl === null)) return false;
  const policy = _acl === null ? null : readPolicy(_acl);
  if (policy === undefined) return false;
  return decideForPlatform({
    gates: { certified, terms, domain, reputation: undefined },
    platform,
    onBehalfOf: null,
    policy,
    permission: "READ",
    facts: { memberOf: new Set(), deniedThrough: new Set(policy?.denials.enames), passed: new Set() },
  }).allow;
}

// Every consumer is authenticated, so `*` admits all of them, also one without an eName.
function mayReadUnderArray(dsid: string, acl: readonly string[], { ename }: Listener): boolean {
  if (acl.includes("*")) return true;
  return ename !== null && (ename === dsid || acl.includes(ename));
}

function mayReadUnderPolicy(block: unknown, { ename, platform }: Listener): boolean {
  const policy = readPolicy(block);
  if (policy === undefined) return false;
  return decideByPolicy({
    policy,
    asker: { authenticated: true, ename, platform: isEName(platform) ? platform : null, onBehalfOf: null },
    permission: "READ",
    facts: { memberOf: new Set(), deniedThrough: new Set(policy.denials.enames), passed: new Set() },
  }).allow;
}

function readPolicy(block: unknown): AccessPolicy | undefined {
  try {
    return parseAccessPolicy(block);
  } catch {
    return undefined;
  }
}
