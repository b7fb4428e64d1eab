import { createCertifiedKeys } from "@dataspace/clients/certified-keys";
import { createRegistryClient } from "@dataspace/clients/registry-client";
import { createRemoteKeySet } from "@dataspace/clients/remote-key-set";
import { createVerifyEcdsa, createVerifyEs256 } from "@dataspace/clients/verify-ecdsa";
import { createGuardedFetch } from "@dataspace/outgoing/guarded-fetch";
import { createHostResolver } from "@dataspace/outgoing/host-resolver";
import { type OutgoingAllow, readOutgoingAllow } from "@dataspace/outgoing/outgoing-allow";
import { isLoopbackHost } from "@dataspace/protocol/loopback-host";
import { type CheckAnswer, createWalletCheck, type WalletCheckDeps } from "./wallet-check.ts";

/**
 * Where the registry is, and which vaults may be asked beside those on public https addresses. The default is this machine when the
 * registry is on it (development), and none otherwise.
 */
export interface RegistryCheckConfig {
  readonly registryUrl: string;
  readonly outgoingAllow?: OutgoingAllow;
}

const THIS_MACHINE = "127.0.0.0/8,::1/128";

/**
 * Makes the check of wallets' answers for a platform that has a registry and nothing else: with its own connections, caches and
 * guard against private addresses. Each question to the registry or to a vault may take 5 seconds.
 *
 * In: `onUnavailable` receives the error when the registry or a vault cannot be asked. Refuses: never. Source: S2 "Authentication"; decision E6.
 */
export function createRegistryCheck(
  { onUnavailable }: Pick<WalletCheckDeps, "onUnavailable">,
  { registryUrl, outgoingAllow = defaultAllow(registryUrl) }: RegistryCheckConfig,
): CheckAnswer {
  const deps = {
    fetch,
    clock: { nowMs: () => Date.now() },
    guardedFetch: createGuardedFetch({ resolveHost: createHostResolver() }, { allow: outgoingAllow }),
  };
  const registry = createRegistryClient(deps, { registryUrl });
  const keySet = createRemoteKeySet(
    { ...deps, verifyEs256: createVerifyEs256() },
    { keySetUrl: `${registryUrl}/.well-known/jwks.json` },
  );
  const findCertifiedKeys = createCertifiedKeys({ ...deps, registry, keySet });
  return createWalletCheck({ findCertifiedKeys, verifyEcdsa: createVerifyEcdsa(), onUnavailable });
}

function defaultAllow(registryUrl: string): OutgoingAllow {
  const reading = readOutgoingAllow(isLoopbackHost(new URL(registryUrl).hostname) ? THIS_MACHINE : "");
  if ("fault" in reading) throw new Error(reading.fault);
  return reading.value;
}
