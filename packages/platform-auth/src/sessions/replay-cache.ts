import { hash } from "node:crypto";

/** Remembers what was used lately. */
export interface ReplayCache {
  /** Takes the use of an id by a holder. Out: whether it may count: false when it was used before, or when no more can be remembered. */
  readonly take: (holder: string, id: string) => boolean;
}

/** How long a use is remembered at least, and how many are: in all, and of one holder. */
export interface ReplayCacheConfig {
  readonly rememberMs: number;
  readonly most: number;
  readonly mostPerHolder: number;
}

// Ids come from outside and differ in length; what is remembered of each has 22 characters.
function digest(text: string): string {
  return hash("sha256", text, "base64url").slice(0, DIGEST_CHARACTERS);
}

const DIGEST_CHARACTERS = 22;

interface Generation {
  readonly idsByHolder: Map<string, Set<string>>;
  readonly sinceMs: number;
  size: number;
}

/**
 * Makes a bounded memory of uses in two generations. When it is full, nothing counts as unused: forgetting would let a use
 * come again.
 *
 * Refuses: never. Source: RFC 9449 section 11.1; decision A1.
 */
export function createReplayCache(
  { nowMs }: { readonly nowMs: () => number },
  { rememberMs, most, mostPerHolder }: ReplayCacheConfig,
): ReplayCache {
  const open = (): Generation => ({ idsByHolder: new Map(), sinceMs: nowMs(), size: 0 });
  let current = open();
  let before = open();
  function turn(): void {
    const ageMs = nowMs() - current.sinceMs;
    if (ageMs < rememberMs) return;
    before = ageMs < 2 * rememberMs ? current : open();
    current = open();
  }
  return {
    take: (holder, text) => {
      turn();
      const id = digest(text);
      const ids = current.idsByHolder.get(holder);
      if (ids?.has(id) || before.idsByHolder.get(holder)?.has(id)) return false;
      if (current.size >= most || (ids?.size ?? 0) >= mostPerHolder) return false;
      if (ids === undefined) current.idsByHolder.set(holder, new Set([id]));
      else ids.add(id);
      current.size += 1;
      return true;
    },
  };
}
