import { createGivenKeySet, type RemoteKeySet } from "@dataspace/clients/remote-key-set";
import { UpstreamError } from "@dataspace/clients/upstream-error";
import { validateKeyBindingClaims } from "@dataspace/protocol/key-binding-certificate";
import { ProtocolError } from "@dataspace/protocol/protocol-error";
import type { Trust } from "./trust.ts";

/** Key sets at hand: the registry's, and each trusted issuer's by its origin. */
export interface GivenKeys {
  readonly registry: unknown;
  readonly issuers: Readonly<Record<string, unknown>>;
}

/**
 * Makes the trust of a verifier that works offline: it has the key sets, and asks nobody. A deployer's keys are those of the key
 * binding certificates that come with the evidence, which the registry signed and which are in force; a certificate's status
 * comes with the evidence too.
 *
 * Refuses: UpstreamError `malformed` for a value that is not a key set. Source: decision A1.
 */
export async function createGivenTrust(
  { clock }: { readonly clock: { readonly nowMs: () => number } },
  given: GivenKeys,
): Promise<Trust> {
  const registry = await createGivenKeySet(given.registry);
  const issuers = new Map<string, RemoteKeySet>();
  for (const [issuer, document] of Object.entries(given.issuers)) {
    issuers.set(issuer, await createGivenKeySet(document));
  }
  return {
    verifyRegistryToken: (token) => registry.verify(token),
    verifyIssuerToken: async (issuer, token) => {
      const keys = issuers.get(issuer);
      if (keys === undefined) throw new UpstreamError("unreachable", `No key set of ${issuer} was given.`);
      return keys.verify(token);
    },
    findWalletPoints: async (ename, stapled) => {
      const points: Uint8Array[] = [];
      for (const certificate of stapled) {
        try {
          const { payload } = await registry.verify(certificate);
          points.push(validateKeyBindingClaims(payload, { ename, nowSeconds: clock.nowMs() / 1000 }).point);
        } catch (error) {
          if (!(error instanceof ProtocolError)) throw error; // an invalid certificate proves nothing
        }
      }
      return points;
    },
    fetchStatusToken: async () => {
      throw new UpstreamError("unreachable", "Nothing is fetched offline.");
    },
  };
}
