import { decideByPolicy } from "@dataspace/access/decide-by-policy";
import { parseAccessPolicy } from "@dataspace/protocol/access-policy";
import { isEName } from "@dataspace/protocol/ename";
import { ACCESS_POLICY_ONTOLOGY, BINDING_DOCUMENT_ONTOLOGY } from "@dataspace/protocol/ontology-id";
import type { AccessPolicy } from "@dataspace/protocol/access-policy";
import type { EventPolicy } from "./event-policy.ts";
import type { Listener } from "./listener.ts";

/** The subject of the decision: the record's owner, its ontology, and its newest known policy. */
export interface HeardRecord {
  readonly dsid: string;
  readonly schemaId: string;
  readonly policy: EventPolicy;
}

const NEVER_TO_PLATFORMS: ReadonlySet<string> = new Set([BINDING_DOCUMENT_ONTOLOGY, ACCESS_POLICY_ONTOLOGY]);

/**
 * Decides whether a consumer may receive a change. Every attempt and every reading of the feed decides again.
 *
 * Under `_acl` it needs READ as the eName and the platform that it is. Only the policy's text is known here. Group
 * members are unknown, so no group gives a grant; a denied eName may be a group, so every denial applies; and no
 * condition is met. Under a legacy array it goes to whom the array lets read and to every platform; binding documents
 * and access policies only to the former. A record with neither goes to nobody.
 *
 * Refuses: never; a malformed policy admits nobody. Source: decisions E4, V12, V23, V24.
 */
export function mayHear({ dsid, schemaId, policy }: HeardRecord, listener: Listener): boolean {
  if (policy._acl !== null) return mayReadUnderPolicy(policy._acl, listener);
  if (policy.acl === null) return false;
  if (mayReadUnderArray(dsid, policy.acl, listener)) return true;
  return listener.isPlatform && (listener.isDev || !NEVER_TO_PLATFORMS.has(schemaId));
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
