import { createCertifiedKeys } from "@dataspace/clients/certified-keys";
import { createRegistryClient } from "@dataspace/clients/registry-client";
import { createRemoteKeySet } from "@dataspace/clients/remote-key-set";
import { createVerifyEcdsa, createVerifyEs256 } from "@dataspace/clients/verify-ecdsa";
import { createVerifyWalletToken, type VerifyWalletToken } from "@dataspace/clients/verify-wallet-token";
import { createWalletCheck } from "@dataspace/wallet-login/wallet-check";
import type { Fetch } from "@dataspace/clients/timed-fetch";
import type { Clock } from "@dataspace/service-kit/clock";
import type { Log } from "@dataspace/service-kit/log";
import type { LoginConfig } from "./config.ts";
import { loginRefusal } from "./errors.ts";
import { type CheckLogin, createCheckLogin } from "./logins/check-login.ts";
import { createPlatformToken } from "./logins/platform-token.ts";
import { createReadProfile } from "./logins/read-profile.ts";

/** What needs the registry and vaults. */
export interface RegistryPart {
  readonly check: CheckLogin;
  readonly verifyWalletToken: VerifyWalletToken;
}

/**
 * Makes the check of wallets' answers and of wallet tokens, with their way to the registry and to vaults.
 *
 * In: `fetch` goes to the registry alone, `guardedFetch` to the vaults that it names. Source: S2 "Authentication"; decision E6.
 */
export function createRegistryPart(
  deps: { readonly fetch: Fetch; readonly guardedFetch: Fetch; readonly clock: Clock; readonly log: Log },
  config: Pick<LoginConfig, "issuer" | "registryUrl" | "upstreamTimeoutMs" | "jwksCacheSeconds">,
): RegistryPart {
  const { issuer, registryUrl, upstreamTimeoutMs: timeoutMs } = config;
  const registry = createRegistryClient(deps, { registryUrl, timeoutMs });
  const keySetUrl = `${registryUrl}/.well-known/jwks.json`;
  const keySet = createRemoteKeySet(
    { ...deps, verifyEs256: createVerifyEs256() },
    { keySetUrl, timeoutMs, cacheSeconds: config.jwksCacheSeconds },
  );
  const platformToken = createPlatformToken({ registry, clock: deps.clock }, { issuer });
  const findCertifiedKeys = createCertifiedKeys({ ...deps, registry, keySet, vaultTimeoutMs: timeoutMs });
  const verifyEcdsa = createVerifyEcdsa();
  const check = createWalletCheck({
    findCertifiedKeys,
    verifyEcdsa,
    onUnavailable: (error) => deps.log.warn({ err: error }, "the certified keys of an eName are not available"),
  });
  const readProfile = createReadProfile({ ...deps, registry, platformToken }, { timeoutMs });
  return {
    check: createCheckLogin({ clock: deps.clock, check, readProfile }),
    verifyWalletToken: createVerifyWalletToken({ ...deps, findCertifiedKeys, verifyEcdsa, refuse: loginRefusal }),
  };
}
