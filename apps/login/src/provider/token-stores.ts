import type { Clock } from "@dataspace/service-kit/clock";
import { type BoundedStore, createBoundedStore } from "../bounded-store.ts";
import { errors } from "./library.ts";
import type { Adapter, AdapterPayload } from "oidc-provider";

/** Codes, access tokens, grants and authorization requests of the protocol library, in memory and bounded. */
export interface TokenStores {
  /** The library's storage of one model. */
  readonly adapterOf: (model: string) => Adapter;
  /** The model's live entries, for metrics. */
  readonly sizes: () => Readonly<Record<string, number>>;
  readonly sweep: () => void;
}

const MODELS = ["AuthorizationCode", "AccessToken", "Grant", "Interaction"] as const;
const FOREVER_MS = 86_400_000;

/**
 * Makes the stores. In: `most`, the largest number of entries of each model.
 *
 * A code is used once, even under concurrency: `consume` checks and marks without an await in between. A second use
 * destroys the grant and its tokens, so the first use's tokens end too. No session is stored: every login needs the
 * wallet.
 * Refuses: `temporarily_unavailable` when a store is full. Source: S2 "States and transitions"; decisions L5, L12.
 */
export function createTokenStores(deps: { readonly clock: Clock }, bound: { readonly most: number }): TokenStores {
  const stores = new Map(MODELS.map((model) => [model as string, createBoundedStore<AdapterPayload>(deps, bound)]));
  const members = createBoundedStore<Set<string>>(deps, bound);
  const revoke = (grantId: string): void => {
    for (const key of members.get(grantId) ?? []) {
      const [model = "", id = ""] = key.split(" ");
      stores.get(model)?.delete(id);
    }
    members.delete(grantId);
  };
  const endGrant = (grantId: string): void => {
    revoke(grantId);
    stores.get("Grant")?.delete(grantId);
  };
  return {
    adapterOf: (model) => {
      const store = stores.get(model);
      return store === undefined ? NOTHING : adapter({ model, store, members, revoke, endGrant });
    },
    sizes: () => Object.fromEntries([...stores].map(([model, store]) => [model, store.size()])),
    sweep: () => {
      for (const store of [...stores.values(), members]) store.sweep();
    },
  };
}

function adapter(given: {
  readonly model: string;
  readonly store: BoundedStore<AdapterPayload>;
  readonly members: BoundedStore<Set<string>>;
  readonly revoke: (grantId: string) => void;
  readonly endGrant: (grantId: string) => void;
}): Adapter {
  const { model, store, members, revoke, endGrant } = given;
  return {
    ...NOTHING,
    upsert: async (id, payload, expiresIn) => {
      const lifetimeMs = expiresIn ? expiresIn * 1000 : FOREVER_MS;
      if (!store.set(id, payload, lifetimeMs)) throw full();
      const { grantId } = payload;
      if (grantId === undefined || model === "Grant" || model === "Interaction") return;
      const keys = members.get(grantId) ?? new Set<string>();
      if (!members.set(grantId, keys.add(`${model} ${id}`), lifetimeMs)) throw full();
    },
    find: async (id) => store.get(id),
    destroy: async (id) => store.delete(id),
    consume: async (id) => {
      const payload = store.get(id);
      if (payload === undefined || payload.consumed) {
        if (payload?.grantId !== undefined) endGrant(payload.grantId);
        throw new errors.InvalidGrant("authorization code already consumed");
      }
      payload.consumed = Math.floor(Date.now() / 1000);
    },
    revokeByGrantId: async (grantId) => revoke(grantId),
  };
}

const FULL = "temporarily_unavailable";

function full(): Error {
  return new errors.CustomOIDCProviderError(FULL, "too many logins at once, try again in a minute");
}

/** Decides whether an error is the refusal of a full store. Refuses: never. */
export function isFull(error: unknown): boolean {
  return error instanceof errors.OIDCProviderError && error.error === FULL;
}

/** Stores nothing: sessions, and models of features that are off. */
const NOTHING: Adapter = {
  upsert: async () => undefined,
  find: async () => undefined,
  findByUid: async () => undefined,
  findByUserCode: async () => undefined,
  destroy: async () => undefined,
  consume: async () => undefined,
  revokeByGrantId: async () => undefined,
};
