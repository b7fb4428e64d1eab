import { LRUCache } from "lru-cache";

/** A token and when it ends, in milliseconds since the epoch. */
export interface KeptToken {
  readonly token: string;
  readonly expiresAtMs: number;
}

/** Tokens by the name they are kept under. */
export interface KeptTokens {
  /** Gives the kept token, or obtains one. Refuses: what `obtain` refuses; failures are not kept. */
  readonly get: (name: string, obtain: () => Promise<KeptToken>) => Promise<string>;
  /** Forgets a token, unless it was replaced already. */
  readonly forget: (name: string, token: string) => void;
}

/**
 * Keeps the tokens of the 1,000 names that were used last. A token is obtained by one caller at a time, and replaced `renewBeforeMs`
 * before its end.
 */
export function createKeptTokens(
  clock: { readonly nowMs: () => number },
  { renewBeforeMs }: { readonly renewBeforeMs: number },
): KeptTokens {
  const kept = new LRUCache<string, KeptToken>({ max: 1_000 });
  const running = new Map<string, Promise<string>>();
  const renew = async (name: string, obtain: () => Promise<KeptToken>): Promise<string> => {
    try {
      const obtained = await obtain();
      kept.set(name, obtained);
      return obtained.token;
    } finally {
      running.delete(name);
    }
  };
  return {
    get: async (name, obtain) => {
      const known = kept.get(name);
      if (known !== undefined && known.expiresAtMs - renewBeforeMs > clock.nowMs()) return known.token;
      const asked = running.get(name) ?? renew(name, obtain);
      running.set(name, asked);
      return asked;
    },
    forget: (name, token) => {
      if (kept.peek(name)?.token === token) kept.delete(name);
    },
  };
}
