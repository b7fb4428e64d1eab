import type { Clock } from "@dataspace/service-kit/clock";

/**
 * Values with a lifetime, up to a limit; a full store refuses new values and never evicts a live one. Source: decision
 * L12.
 */
export interface BoundedStore<Value> {
  /** Out: false if the store is full of live values. An existing value is replaced. */
  readonly set: (key: string, value: Value, lifetimeMs: number) => boolean;
  readonly get: (key: string) => Value | undefined;
  readonly delete: (key: string) => void;
  readonly size: () => number;
}

interface Entry<Value> {
  readonly value: Value;
  readonly expiresAtMs: number;
}

/** How many of its oldest entries a full store checks before it refuses. */
const LOOKED_AT = 64;

/** Makes such a store. An expired entry is dropped at its next access, and all of them by `sweep`. Refuses: never. */
export function createBoundedStore<Value>(
  { clock }: { readonly clock: Clock },
  { most }: { readonly most: number },
): BoundedStore<Value> & { readonly sweep: () => void } {
  const entries = new Map<string, Entry<Value>>();
  const dropExpired = (limit: number): void => {
    const nowMs = clock.nowMs();
    let left = limit;
    for (const [key, { expiresAtMs }] of entries) {
      if (expiresAtMs <= nowMs) entries.delete(key);
      left -= 1;
      if (left === 0) return;
    }
  };
  return {
    set: (key, value, lifetimeMs) => {
      if (!entries.has(key) && entries.size >= most) dropExpired(LOOKED_AT);
      if (!entries.has(key) && entries.size >= most) return false;
      entries.set(key, { value, expiresAtMs: clock.nowMs() + lifetimeMs });
      return true;
    },
    get: (key) => {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      if (entry.expiresAtMs > clock.nowMs()) return entry.value;
      entries.delete(key);
      return undefined;
    },
    delete: (key) => {
      entries.delete(key);
    },
    size: () => entries.size,
    sweep: () => dropExpired(Number.POSITIVE_INFINITY),
  };
}
