import type { Adapter, AdapterPayload } from "oidc-provider";

/** Storage of a stock provider in which time can pass: what is stored grows older. */
export interface AgingStore {
  readonly adapterOf: (model: string) => Adapter;
  readonly age: (seconds: number) => void;
}

/** Makes such a storage in memory. Refuses: never. */
export function createAgingStore(): AgingStore {
  const stores: Map<string, AdapterPayload>[] = [];
  const all = (): [Map<string, AdapterPayload>, string, AdapterPayload][] =>
    stores.flatMap((store) =>
      [...store].map(([id, payload]): [Map<string, AdapterPayload>, string, AdapterPayload] => [store, id, payload]),
    );
  return {
    adapterOf: () => {
      const store = new Map<string, AdapterPayload>();
      stores.push(store);
      return {
        upsert: async (id, payload) => void store.set(id, payload),
        find: async (id) => store.get(id),
        findByUid: async (uid) => [...store.values()].find((payload) => payload.uid === uid),
        findByUserCode: async () => undefined,
        destroy: async (id) => void store.delete(id),
        consume: async (id) => {
          const payload = store.get(id);
          if (payload !== undefined) payload["consumed"] = Math.floor(Date.now() / 1_000);
        },
        revokeByGrantId: async (grantId) => {
          for (const [owner, id, payload] of all()) if (payload.grantId === grantId) owner.delete(id);
        },
      };
    },
    age: (seconds) => {
      for (const [, , payload] of all()) {
        if (payload.exp !== undefined) payload.exp -= seconds;
        if (payload.iat !== undefined) payload.iat -= seconds;
      }
    },
  };
}
