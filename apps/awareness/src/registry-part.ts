import { createCachedResolve } from "@dataspace/clients/cached-resolve";
import { createCertifiedKeys, type FindCertifiedKeys } from "@dataspace/clients/certified-keys";
import { createRegistryClient, type RegistryClient } from "@dataspace/clients/registry-client";
import { createRemoteKeySet } from "@dataspace/clients/remote-key-set";
import type { Fetch } from "@dataspace/clients/timed-fetch";
import type { Clock } from "@dataspace/service-kit/clock";

/**
 * Makes the lookup of an eName's keys, through the registry.
 *
 * In: `fetch` is for the registry, `guardedFetch` for the vaults that it names.
 * Refuses: its calls reject with the clients' errors. Source: decisions I4, E6, E9.
 */
export function createFindCertifiedKeys(
  deps: { readonly fetch: Fetch; readonly guardedFetch: Fetch; readonly clock: Clock },
  { registryUrl }: { readonly registryUrl: string },
): FindCertifiedKeys {
  const keySet = createRemoteKeySet(deps, { keySetUrl: `${registryUrl}/.well-known/jwks.json` });
  const resolve = createCachedResolve({ clock: deps.clock, registry: createRegistryClient(deps, { registryUrl }) });
  return createCertifiedKeys({ ...deps, registry: { resolve }, keySet });
}

/** Below the 5 s that a vault waits for the answer to `POST /ingest`. */
const RESOLVE_TIMEOUT_MS = 2_000;

/**
 * Makes the lookup of an eName's vault. In: `fetch` is for the registry. Refuses: as `RegistryClient`. Source: decision
 * E5.
 */
export function createResolveVault(
  deps: { readonly fetch: Fetch },
  { registryUrl }: { readonly registryUrl: string },
): RegistryClient["resolve"] {
  return createRegistryClient(deps, { registryUrl, timeoutMs: RESOLVE_TIMEOUT_MS }).resolve;
}
