import { createCachedResolve } from "@dataspace/clients/cached-resolve";
import { createCertifiedKeys, type FindCertifiedKeys } from "@dataspace/clients/certified-keys";
import { createIsKnown, type IsKnown } from "@dataspace/clients/known-enames";
import { createRegistryClient, type RegistryClient } from "@dataspace/clients/registry-client";
import { createRemoteKeySet, type RemoteKeySet } from "@dataspace/clients/remote-key-set";
import { createVerifyEs256 } from "@dataspace/clients/verify-ecdsa";
import type { Fetch } from "@dataspace/clients/timed-fetch";
import type { Clock } from "@dataspace/service-kit/clock";

/** What the service asks the registry. Its calls reject with the clients' errors. */
export interface RegistryPart {
  /** The registry's own keys. */
  readonly registryKeys: Pick<RemoteKeySet, "verify">;
  readonly findCertifiedKeys: FindCertifiedKeys;
  readonly isKnown: IsKnown;
  readonly resolveVault: RegistryClient["resolve"];
}

/** Below the 5 s that a vault waits for the answer to `POST /ingest`. */
const RESOLVE_TIMEOUT_MS = 2_000;

/**
 * Makes the service's requests to the registry: the keys of an eName, whether it is known, and where its vault is.
 *
 * In: `fetch` is for the registry, `guardedFetch` for the vaults that it names. Refuses: never.
 * Source: decisions I4, E5, E6, E9, V23.
 */
export function createRegistryPart(
  deps: { readonly fetch: Fetch; readonly guardedFetch: Fetch; readonly clock: Clock },
  { registryUrl }: { readonly registryUrl: string },
): RegistryPart {
  const keySet = createRemoteKeySet(
    { ...deps, verifyEs256: createVerifyEs256() },
    { keySetUrl: `${registryUrl}/.well-known/jwks.json` },
  );
  const resolve = createCachedResolve({ clock: deps.clock, registry: createRegistryClient(deps, { registryUrl }) });
  return {
    registryKeys: keySet,
    findCertifiedKeys: createCertifiedKeys({ ...deps, registry: { resolve }, keySet }),
    isKnown: createIsKnown({ clock: deps.clock, registry: { resolve } }),
    resolveVault: createRegistryClient(deps, { registryUrl, timeoutMs: RESOLVE_TIMEOUT_MS }).resolve,
  };
}
