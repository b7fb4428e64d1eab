import { createCertifiedKeys, type FindCertifiedKeys } from "@dataspace/clients/certified-keys";
import { createRegistryClient } from "@dataspace/clients/registry-client";
import { createRemoteKeySet, type RemoteKeySet } from "@dataspace/clients/remote-key-set";
import { createVerifyEs256 } from "@dataspace/clients/verify-ecdsa";
import type { Fetch } from "@dataspace/clients/timed-fetch";
import type { Clock } from "@dataspace/service-kit/clock";

/** What an authority asks of others: the registry's keys, and the keys that are certified for an eName. */
export interface RegistryPart {
  readonly keySet: RemoteKeySet;
  readonly findCertifiedKeys: FindCertifiedKeys;
}

/** Makes the way to the registry by `fetch`, and by `guardedFetch` to the vaults that it names. Source: decision E6. */
export function createRegistryPart(
  deps: { readonly fetch: Fetch; readonly guardedFetch: Fetch; readonly clock: Clock },
  { registryUrl }: { readonly registryUrl: string },
): RegistryPart {
  const registry = createRegistryClient(deps, { registryUrl });
  const keySet = createRemoteKeySet(
    { ...deps, verifyEs256: createVerifyEs256() },
    { keySetUrl: `${registryUrl}/.well-known/jwks.json` },
  );
  return { keySet, findCertifiedKeys: createCertifiedKeys({ ...deps, registry, keySet }) };
}
