import { LRUCache } from "lru-cache";

/** A token and when it ends, in milliseconds since the epoch. */
export interface CachedToken {
  readonly token: string;
  readonly expiresAtMs: number;
}

/** Tokens by the name they are cached under. */
export interface TokenCache {
  /** Gives the cached token, or obtains one. Refuses: what `obtain` refuses; failures are not cached. */
  readonly get: (name: string, obtain: () => Promise<CachedToken>) => Promise<string>;
  /** Forgets a token, unless it was replaced already. */
  readonly forget: (name: string, token: string) => void;
}

/**
 * Caches the tokens of the 1,000 names that were used last. A token is obtained by one caller at a time, and replaced `renewBeforeMs`
 * before its end.
 */
export function createTokenCache(
  clock: { readonly nowMs: () => number },
  { renewBeforeMs }: { readonly renewBeforeMs: number },
): TokenCache {
  const cached = new LRUCache<string, CachedToken>({ max: 1_000 });
  const running = new Map<string, Promise<string>>();
  const renew = async (name: string, obtain: () => Promise<CachedToken>): Promise<string> => {
    try {
      const obtained = await obtain();
      cached.set(name, obtained);
      return obtained.token;
    } finally {
      running.delete(name);
    }
  };
  return {
    get: async (name, obtain) => {
      const known = cached.get(name);
      if (known !== undefined && known.expiresAtMs - renewBeforeMs > clock.nowMs()) return known.token;
      const asked = running.get(name) ?? renew(name, obtain);
      running.set(name, asked);
      return asked;
    },
    forget: (name, token) => {
      if (cached.peek(name)?.token === token) cached.delete(name);
    },
  };
}
