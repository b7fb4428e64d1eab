import { createCertifiedKeys } from "@dataspace/clients/certified-keys";
import { createRegistryClient } from "@dataspace/clients/registry-client";
import { createRemoteKeySet } from "@dataspace/clients/remote-key-set";
import { createVerifyEcdsa } from "@dataspace/service-kit/verify-ecdsa";
import type { Fetch } from "@dataspace/clients/timed-fetch";
import type { Clock } from "@dataspace/service-kit/clock";
import type { Log } from "@dataspace/service-kit/log";
import type { LoginConfig } from "./config.ts";
import { createPlatformToken } from "./logins/platform-token.ts";
import { createReadProfile } from "./logins/read-profile.ts";
import { type CheckWalletAnswer, createWalletCheck } from "./logins/wallet-check.ts";

/**
 * Makes the check of wallets' answers with its clients for the registry and for vaults.
 *
 * In: `fetch` is for the registry, `guardedFetch` for the vaults that it names. Source: S2 "Authentication"; decision
 * E6.
 */
export function createCheck(
  deps: { readonly fetch: Fetch; readonly guardedFetch: Fetch; readonly clock: Clock; readonly log: Log },
  config: Pick<LoginConfig, "issuer" | "registryUrl" | "upstreamTimeoutMs" | "jwksCacheSeconds">,
): CheckWalletAnswer {
  const { issuer, registryUrl, upstreamTimeoutMs: timeoutMs } = config;
  const registry = createRegistryClient(deps, { registryUrl, timeoutMs });
  const keySetUrl = `${registryUrl}/.well-known/jwks.json`;
  const keySet = createRemoteKeySet(deps, { keySetUrl, timeoutMs, cacheSeconds: config.jwksCacheSeconds });
  const platformToken = createPlatformToken({ registry, clock: deps.clock }, { issuer });
  return createWalletCheck({
    clock: deps.clock,
    log: deps.log,
    findCertifiedKeys: createCertifiedKeys({ ...deps, registry, keySet, vaultTimeoutMs: timeoutMs }),
    verifyEcdsa: createVerifyEcdsa(),
    readProfile: createReadProfile({ ...deps, registry, platformToken }, { timeoutMs }),
  });
}
