import type { EName } from "@dataspace/protocol/ename";
import { type RegistryClientConfig, readToken, type VaultAddress } from "./registry-client.ts";
import { type Fetch, fetchJson, type TimedRequest } from "./timed-fetch.ts";

/** Requests that the registry accepts only with its shared secret. */
export interface RegistryWriter {
  /** Registers a vault; repeating the same registration succeeds too. */
  readonly register: (address: VaultAddress) => Promise<void>;
  /** Changes the address or the identifier of an eName's vault. */
  readonly changeAddress: (change: {
    readonly ename: EName;
    readonly uri?: string;
    readonly vault?: string;
  }) => Promise<void>;
  /** Frees an eName. */
  readonly withdraw: (ename: EName) => Promise<void>;
  /** Requests a key binding certificate for exactly this spelling of the key; it is valid for an hour. */
  readonly certifyKey: (binding: { readonly ename: EName; readonly publicKey: string }) => Promise<string>;
}

/**
 * Makes a client for the registry's protected endpoints.
 *
 * In: `sharedSecret` as configured at the registry.
 * Refuses: its calls reject with an UpstreamError; its `refusal.code` is the registry's (ENAME_TAKEN, UNKNOWN_ENAME,
 * UNAUTHENTICATED).
 * Source: S1 "Key binding certificate"; decision X2.
 */
export function createRegistryWriter(
  deps: { readonly fetch: Fetch },
  config: RegistryClientConfig & { readonly sharedSecret: string },
): RegistryWriter {
  const send = (path: string, request: Pick<TimedRequest, "method" | "body">): Promise<unknown> =>
    fetchJson(deps.fetch, {
      ...request,
      url: `${config.registryUrl}${path}`,
      headers: { authorization: `Bearer ${config.sharedSecret}` },
      ...(config.timeoutMs === undefined ? {} : { timeoutMs: config.timeoutMs }),
    });
  return {
    register: async ({ ename, uri, vault }) => {
      await send("/register", { method: "POST", body: { ename, uri, vault } });
    },
    changeAddress: async (change) => {
      await send("/register", { method: "PATCH", body: change });
    },
    withdraw: async (ename) => {
      await send(`/register?ename=${encodeURIComponent(ename)}`, { method: "DELETE" });
    },
    certifyKey: async (body) => readToken(await send("/key-binding-certificate", { method: "POST", body })),
  };
}
