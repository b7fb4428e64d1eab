import { createCertifiedKeys } from "@dataspace/clients/certified-keys";
import { createHasSigned, type HasSigned } from "@dataspace/clients/has-signed";
import { createRegistryClient } from "@dataspace/clients/registry-client";
import { createRemoteKeySet } from "@dataspace/clients/remote-key-set";
import { createVerifyEcdsa } from "@dataspace/service-kit/verify-ecdsa";
import type { Fetch } from "@dataspace/clients/timed-fetch";
import type { Clock } from "@dataspace/service-kit/clock";

/**
 * Makes the check of a wallet's signature. It resolves the eName at the registry, fetches the key binding certificates
 * from its vault's `/whois`, verifies each with the registry's published keys, and verifies the signature with a
 * certified key. Each request may take 5 s, and any failure refuses the login.
 *
 * In: `fetch` is for the registry; `guardedFetch` for vaults, whose addresses others registered.
 * Source: S2 "Authentication".
 */
export function createVerifyLogin(
  deps: { readonly fetch: Fetch; readonly guardedFetch: Fetch; readonly clock: Clock },
  { registryUrl }: { readonly registryUrl: string },
): HasSigned {
  const registry = createRegistryClient(deps, { registryUrl });
  const keySet = createRemoteKeySet(deps, { keySetUrl: `${registryUrl}/.well-known/jwks.json` });
  const findCertifiedKeys = createCertifiedKeys({ ...deps, registry, keySet });
  return createHasSigned({ findCertifiedKeys, verifyEcdsa: createVerifyEcdsa() });
}
