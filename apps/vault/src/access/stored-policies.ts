import { createHash } from "node:crypto";
import { conditionKey, type PolicyTerms, policyTerms } from "@dataspace/access/policy-terms";
import { type AccessPolicy, parseAccessPolicy } from "@dataspace/protocol/access-policy";
import { LRUCache } from "lru-cache";
import type { EName } from "@dataspace/protocol/ename";
import type { Queryable } from "@dataspace/service-kit/database";
import { findPolicyBlocks, listPolicyKeys } from "../store/policy-rows.ts";

/** A policy as it is stored, read, with what has to be found out before it can decide. */
export interface StoredPolicy {
  readonly policy: AccessPolicy;
  readonly terms: PolicyTerms;
}

/** The policies of the vault, by their text and by their owner. */
export interface StoredPolicies {
  /** Reads a stored block; undefined where it cannot be read, which nobody may pass. */
  readonly read: (block: string) => StoredPolicy | undefined;
  /** The different policies that an owner's MetaEnvelopes carry, by their keys, those that cannot be read left out. */
  readonly ofOwner: (owner: EName) => Promise<ReadonlyMap<string, StoredPolicy>>;
}

const REMEMBERED_CHARACTERS = 32 * 1_048_576;

/**
 * Makes the reader of stored policies. A policy never changes under its key, which is the SHA-256 of its text, so each is
 * read and parsed once and remembered within a bound.
 *
 * Source: decision V11.
 */
export function createStoredPolicies(database: Queryable): StoredPolicies {
  const remembered = new LRUCache<string, { readonly stored: StoredPolicy | undefined }>({
    maxSize: REMEMBERED_CHARACTERS,
  });
  function readOnce(key: string, block: string): StoredPolicy | undefined {
    const known = remembered.get(key);
    if (known !== undefined) return known.stored;
    const stored = parseBlock(block);
    // Parsed, a policy takes a few times the room of its text.
    remembered.set(key, { stored }, { size: 256 + 4 * block.length });
    return stored;
  }
  return {
    read: (block) => readOnce(createHash("sha256").update(block).digest("hex"), block),
    ofOwner: async (owner) => {
      const keys = await listPolicyKeys(database, owner);
      const found = new Map(keys.map((key) => [key, remembered.get(key)?.stored]));
      const missing = keys.filter((key) => !remembered.has(key));
      const blocks = missing.length === 0 ? [] : await findPolicyBlocks(database, owner, missing);
      for (const { key, block } of blocks) found.set(key, readOnce(key, block));
      return new Map([...found].flatMap(([key, stored]) => (stored === undefined ? [] : [[key, stored] as const])));
    },
  };
}

/** Unites the terms of several policies, each term once. */
export function uniteTerms(policies: Iterable<StoredPolicy>): PolicyTerms {
  const enames = new Set<EName>();
  const conditions = new Map<string, PolicyTerms["conditions"][number]>();
  for (const { terms } of policies) {
    for (const ename of terms.enames) enames.add(ename);
    for (const condition of terms.conditions) conditions.set(conditionKey(condition), condition);
  }
  return { enames: [...enames], conditions: [...conditions.values()] };
}

function parseBlock(block: string): StoredPolicy | undefined {
  try {
    const policy = parseAccessPolicy(JSON.parse(block));
    return { policy, terms: policyTerms(policy) };
  } catch {
    return undefined;
  }
}
