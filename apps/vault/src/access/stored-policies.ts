import { createHash } from "node:crypto";
import { inTurns } from "@dataspace/access/facts/in-turns";
import { type AccessPolicy, parseAccessPolicy } from "@dataspace/protocol/access-policy";
import { LRUCache } from "lru-cache";
import type { EName } from "@dataspace/protocol/ename";
import type { Queryable } from "@dataspace/service-kit/postgres/database";
import { findPolicyBlocks, listPolicyKeys } from "../store/policy-rows.ts";

/** The stored policies, by their text and by their owner. */
export interface StoredPolicies {
  /** Parses a stored block; undefined for a malformed one, which admits nobody. */
  readonly read: (block: string) => AccessPolicy | undefined;
  /** The distinct policies of an owner's MetaEnvelopes, by their keys, without malformed ones. */
  readonly ofOwner: (owner: EName) => Promise<ReadonlyMap<string, AccessPolicy>>;
}

/** 2 MiB of text at most. */
const READ_AT_ONCE = 64;
const REMEMBERED_CHARACTERS = 32 * 1_048_576;

/**
 * Makes the reader of stored policies. A policy's key is the SHA-256 of its text, so a policy never changes. Each is
 * read and parsed once, and cached within a limit.
 *
 * Source: decisions V11, V25.
 */
export function createStoredPolicies(database: Queryable): StoredPolicies {
  const remembered = new LRUCache<string, { readonly stored: AccessPolicy | undefined }>({
    maxSize: REMEMBERED_CHARACTERS,
  });
  function readOnce(key: string, block: string): AccessPolicy | undefined {
    const known = remembered.get(key);
    if (known !== undefined) return known.stored;
    const stored = parseBlock(block);
    // A parsed policy occupies a few times the size of its text.
    remembered.set(key, { stored }, { size: 256 + 4 * block.length });
    return stored;
  }
  return {
    read: (block) => readOnce(createHash("sha256").update(block).digest("hex"), block),
    ofOwner: async (owner) => {
      const keys = await listPolicyKeys(database, owner);
      const found = new Map(keys.map((key) => [key, remembered.get(key)?.stored]));
      const missing = keys.filter((key) => !remembered.has(key));
      for (let from = 0; from < missing.length; from += READ_AT_ONCE) {
        const blocks = await findPolicyBlocks(database, owner, missing.slice(from, from + READ_AT_ONCE));
        for await (const { key, block } of inTurns(blocks)) found.set(key, readOnce(key, block));
      }
      return new Map([...found].flatMap(([key, stored]) => (stored === undefined ? [] : [[key, stored] as const])));
    },
  };
}

function parseBlock(block: string): AccessPolicy | undefined {
  try {
    return parseAccessPolicy(JSON.parse(block));
  } catch {
    return undefined;
  }
}
