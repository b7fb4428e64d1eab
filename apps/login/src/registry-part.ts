import { createCertifiedKeys } from "@dataspace/clients/certified-keys";
import { createRegistryClient } from "@dataspace/clients/registry-client";
import { createRemoteKeySet } from "@dataspace/clients/remote-key-set";
import { createVerifyEcdsa } from "@dataspace/service-kit/verify-ecdsa";
import { createWalletCheck } from "@dataspace/wallet-login/wallet-check";
import type { Fetch } from "@dataspace/clients/timed-fetch";
import type { Clock } from "@dataspace/service-kit/clock";
import type { Log } from "@dataspace/service-kit/log";
import type { LoginConfig } from "./config.ts";
import { type CheckLogin, createCheckLogin } from "./logins/check-login.ts";
import { createPlatformToken } from "./logins/platform-token.ts";
import { createReadProfile } from "./logins/read-profile.ts";

/**
 * Makes the check of wallets' answers with its way to the registry and to vaults.
 *
 * In: `fetch` goes to the registry alone, `guardedFetch` to the vaults that it names. Source: S2 "Authentication"; decision E6.
 */
export function createCheck(
  deps: { readonly fetch: Fetch; readonly guardedFetch: Fetch; readonly clock: Clock; readonly log: Log },
  config: Pick<LoginConfig, "issuer" | "registryUrl" | "upstreamTimeoutMs" | "jwksCacheSeconds">,
): CheckLogin {
  const { issuer, registryUrl, upstreamTimeoutMs: timeoutMs } = config;
  const registry = createRegistryClient(deps, { registryUrl, timeoutMs });
  const keySetUrl = `${registryUrl}/.well-known/jwks.json`;
  const keySet = createRemoteKeySet(deps, { keySetUrl, timeoutMs, cacheSeconds: config.jwksCacheSeconds });
  const platformToken = createPlatformToken({ registry, clock: deps.clock }, { issuer });
  const check = createWalletCheck({
    findCertifiedKeys: createCertifiedKeys({ ...deps, registry, keySet, vaultTimeoutMs: timeoutMs }),
    verifyEcdsa: createVerifyEcdsa(),
    onUnavailable: (error) => deps.log.warn({ err: error }, "the certified keys of an eName are not available"),
  });
  const readProfile = createReadProfile({ ...deps, registry, platformToken }, { timeoutMs });
  return createCheckLogin({ clock: deps.clock, check, readProfile });
}
