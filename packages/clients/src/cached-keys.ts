/** The keys that another party publishes, requested when needed and cached. */
export interface CachedKeys<Keys> {
  /** The keys as published recently; up to an hour old while the party does not answer. */
  readonly current: () => Promise<Keys>;
  /** Keys newer than those that were tried without success; undefined when there are none. */
  readonly newerThan: (tried: Keys) => Promise<Keys | undefined>;
}

/** `ask` requests the keys now, or rejects. */
export interface CachedKeysDeps<Keys> {
  readonly clock: { readonly nowMs: () => number };
  readonly ask: () => Promise<Keys>;
}

// The default.
const FRESH_SECONDS = 300;

const USABLE_MS = 3_600_000;
// Anybody can send a signature that no key fits: each must not cost the party a request.
const RETRY_MS = 30_000;
const FIRST_RETRY_MS = 1_000;

/**
 * Caches what a party publishes. A removed key is dropped with the party's next answer, a new key is fetched when it is
 * first needed. Concurrent callers share one request. The party is asked for new keys, or again after a failure, at
 * most every 30 s; while no key is usable, every second.
 *
 * Refuses: both functions, with the error of `ask`, when keys are needed and not available.
 * Source: S2 "Limits" (JWKS cache); decisions I4, E3.
 */
export function createCachedKeys<Keys>(
  { clock, ask }: CachedKeysDeps<Keys>,
  { freshSeconds = FRESH_SECONDS }: { readonly freshSeconds?: number | undefined } = {},
): CachedKeys<Keys> {
  let cached: { readonly keys: Keys; readonly atMs: number } | undefined;
  let triedAtMs = Number.NEGATIVE_INFINITY;
  let failure: unknown;
  let asking: Promise<void> | undefined;

  const ageMs = (): number => (cached === undefined ? Number.POSITIVE_INFINITY : clock.nowMs() - cached.atMs);
  async function tryNow(): Promise<void> {
    triedAtMs = clock.nowMs();
    try {
      cached = { keys: await ask(), atMs: triedAtMs };
      failure = undefined;
    } catch (error) {
      failure = error;
    }
  }
  async function refresh(intervalMs: number): Promise<void> {
    if (asking === undefined && clock.nowMs() - triedAtMs < intervalMs) return;
    asking ??= tryNow().finally(() => {
      asking = undefined;
    });
    await asking;
  }

  return {
    current: async () => {
      if (ageMs() >= freshSeconds * 1000) await refresh(ageMs() < USABLE_MS ? RETRY_MS : FIRST_RETRY_MS);
      if (cached === undefined || ageMs() >= USABLE_MS) throw failure;
      return cached.keys;
    },
    newerThan: async (tried) => {
      if (cached?.keys === tried) await refresh(RETRY_MS);
      if (cached !== undefined && cached.keys !== tried) return cached.keys;
      if (failure !== undefined) throw failure;
      return undefined;
    },
  };
}
