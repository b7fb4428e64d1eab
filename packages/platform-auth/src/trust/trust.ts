import type { VerifiedToken } from "@dataspace/clients/remote-key-set";
import type { CompactJws } from "@dataspace/protocol/compact-jws";
import type { EName } from "@dataspace/protocol/ename";

/** A token as text, or taken apart already. */
export type Token = string | CompactJws;

/**
 * Where a verifier's trust comes from: the network, or keys that it was given. Each call refuses with a ProtocolError for a
 * token that does not hold, and with an UpstreamError when the keys are not available.
 *
 * Source: S3 "Authentication"; decision A1.
 */
export interface Trust {
  /** Verifies a token by the registry's key set. */
  readonly verifyRegistryToken: (token: Token) => Promise<VerifiedToken>;
  /** Verifies a token by the key set that a trusted issuer publishes. `issuer` is one of the trusted list. */
  readonly verifyIssuerToken: (issuer: string, token: Token) => Promise<VerifiedToken>;
  /** Finds the points of the keys that are certified for a person now; `stapled` are certificates that came with the evidence. */
  readonly findWalletPoints: (ename: EName, stapled: readonly string[]) => Promise<readonly Uint8Array[]>;
  /** Fetches a status list token. */
  readonly fetchStatusToken: (uri: string) => Promise<string>;
}
