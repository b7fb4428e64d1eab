import { createRemoteKeySet, type RemoteKeySet, type VerifyEs256 } from "@dataspace/clients/remote-key-set";
import { type Fetch, fetchText } from "@dataspace/clients/timed-fetch";
import type { FindCertifiedKeys } from "@dataspace/clients/certified-keys";
import type { Trust } from "./trust.ts";

/** `guardedFetch` asks the trusted issuers; `registryKeys` and `findCertifiedKeys` are those of the verifying service. */
export interface NetworkTrustDeps {
  readonly guardedFetch: Fetch;
  readonly clock: { readonly nowMs: () => number };
  readonly registryKeys: Pick<RemoteKeySet, "verify">;
  readonly findCertifiedKeys: FindCertifiedKeys;
  readonly verifyEs256: VerifyEs256;
}

const MAX_STATUS_BYTES = 65_536;

/**
 * Makes the trust of a verifier on the network. There is one key set for each trusted issuer, at the issuer's own
 * `/.well-known/jwks.json`, cached as `createRemoteKeySet` says; no other address is asked for keys.
 *
 * A person's keys are requested again at each handshake, so that a removed key ends a deployment at the next one.
 * Source: S3 "Authentication"; decisions A1, E6.
 */
export function createNetworkTrust(deps: NetworkTrustDeps, issuers: readonly string[]): Trust {
  const { guardedFetch: fetch, clock, verifyEs256 } = deps;
  const keySets = new Map(
    issuers.map((issuer) => [
      issuer,
      createRemoteKeySet({ fetch, clock, verifyEs256 }, { keySetUrl: `${issuer}/.well-known/jwks.json` }),
    ]),
  );
  return {
    verifyRegistryToken: (token) => deps.registryKeys.verify(token),
    verifyIssuerToken: async (issuer, token) => (keySets.get(issuer) as RemoteKeySet).verify(token),
    findWalletPoints: async (ename) => {
      const keys = await deps.findCertifiedKeys(ename, { fresh: true });
      return keys.map(({ point }) => point);
    },
    fetchStatusToken: (uri) =>
      fetchText(fetch, { url: uri, headers: { accept: "application/statuslist+jwt" }, maxBytes: MAX_STATUS_BYTES }),
  };
}
