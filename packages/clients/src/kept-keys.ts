/** The keys that another party publishes, asked for when needed and kept for a while. */
export interface KeptKeys<Keys> {
  /** The keys as they were published lately; up to an hour ago while the party does not answer. */
  readonly current: () => Promise<Keys>;
  /** Keys newer than those that were tried in vain; undefined when there are none. */
  readonly newerThan: (tried: Keys) => Promise<Keys | undefined>;
}

/** `ask` gets the keys now, or rejects. */
export interface KeptKeysDeps<Keys> {
  readonly clock: { readonly nowMs: () => number };
  readonly ask: () => Promise<Keys>;
}

// Where nothing else was set.
const FRESH_SECONDS = 300;

const USABLE_MS = 3_600_000;
// Anybody can send what no key fits: each must not cost the party a request.
const RETRY_MS = 30_000;
const FIRST_RETRY_MS = 1_000;

/**
 * Keeps what a party publishes: a key that it no longer publishes is forgotten with its next answer, a new one is learned when
 * it is first needed. However many wait for the keys, the party is asked once; at most every 30 s for new ones and while it
 * does not answer, and every second while there are none to use.
 *
 * Refuses: both, with what `ask` rejected with, when keys are needed and could not be had.
 * Source: S2 "Limits" (JWKS cache); decisions I4, E3.
 */
export function createKeptKeys<Keys>(
  { clock, ask }: KeptKeysDeps<Keys>,
  { freshSeconds = FRESH_SECONDS }: { readonly freshSeconds?: number | undefined } = {},
): KeptKeys<Keys> {
  let kept: { readonly keys: Keys; readonly atMs: number } | undefined;
  let triedAtMs = Number.NEGATIVE_INFINITY;
  let failure: unknown;
  let asking: Promise<void> | undefined;

  const ageMs = (): number => (kept === undefined ? Number.POSITIVE_INFINITY : clock.nowMs() - kept.atMs);
  async function tryNow(): Promise<void> {
    triedAtMs = clock.nowMs();
    try {
      kept = { keys: await ask(), atMs: triedAtMs };
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
      if (kept === undefined || ageMs() >= USABLE_MS) throw failure;
      return kept.keys;
    },
    newerThan: async (tried) => {
      if (kept?.keys === tried) await refresh(RETRY_MS);
      if (kept !== undefined && kept.keys !== tried) return kept.keys;
      if (failure !== undefined) throw failure;
      return undefined;
    },
  };
}
