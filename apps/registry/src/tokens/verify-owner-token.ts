import { askCertifiedKeys } from "@dataspace/clients/ask-certified-keys";
import { createVerifyEcdsa } from "@dataspace/clients/verify-ecdsa";
import { createVerifyWalletToken, type VerifyWalletToken } from "@dataspace/clients/verify-wallet-token";
import { parseCompactJws } from "@dataspace/protocol/compact-jws";
import { ProtocolError } from "@dataspace/protocol/protocol-error";
import type { RegistryClient } from "@dataspace/clients/registry-client";
import type { Fetch } from "@dataspace/clients/timed-fetch";
import type { Clock } from "@dataspace/service-kit/clock";
import type { Log } from "@dataspace/service-kit/log";
import type { KeySet } from "@dataspace/service-kit/published-keys/key-set";
import { registryRefusal } from "../errors.ts";
import { isSignedByRegistry } from "./verify-platform-token.ts";

/** `guardedFetch` asks vaults for their certificates; `resolve` reads the registrations. */
export interface OwnerTokenDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly guardedFetch: Fetch;
  readonly keySet: KeySet;
  readonly resolve: RegistryClient["resolve"];
}

/**
 * Makes the verifier of owners' wallet tokens: a key that this registry certifies now, as the owner's vault says at `/whois`, must
 * have signed. The vault is asked each time, so a removed key is refused at once.
 *
 * Refuses: INVALID_TOKEN, VAULT_UNAVAILABLE. Source: decisions I4, V18.
 */
export function createVerifyOwnerToken(deps: OwnerTokenDeps): VerifyWalletToken {
  const { clock, log, guardedFetch, keySet, resolve } = deps;
  const verify = async (token: string | ReturnType<typeof parseCompactJws>) => {
    const jws = typeof token === "string" ? parseCompactJws(token) : token;
    if (await isSignedByRegistry(keySet, jws)) return jws;
    throw new ProtocolError("INVALID_TOKEN", "This registry did not sign the certificate.");
  };
  const known = { clock, guardedFetch, registry: { resolve }, keySet: { verify } };
  return createVerifyWalletToken({
    clock,
    log,
    findCertifiedKeys: (ename) => askCertifiedKeys(known, ename),
    verifyEcdsa: createVerifyEcdsa(),
    refuse: (code, message) =>
      code === "INVALID_TOKEN"
        ? registryRefusal("INVALID_TOKEN", message)
        : registryRefusal(
            "VAULT_UNAVAILABLE",
            "The owner's vault does not answer, so the token cannot be verified; try again.",
          ),
  });
}
