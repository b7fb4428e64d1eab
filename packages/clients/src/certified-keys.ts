import type { EName } from "@dataspace/protocol/ename";

/**
 * A public key that the registry certifies for an eName. `point` is what an `EcdsaVerify` of the signature checks takes.
 *
 * `publicKey` is the text as the wallet sent it; `point` its 65 bytes, uncompressed.
 */
export interface CertifiedKey {
  readonly publicKey: string;
  readonly point: Uint8Array;
  readonly expiresAtSeconds: number;
}

/**
 * Finds the keys that are certified for an eName now; none is an answer too.
 *
 * Refuses: UpstreamError `refused` with the status 404 for an eName that the registry, or the vault it names, does not
 * know; any other UpstreamError when one of them cannot be asked.
 */
export type FindCertifiedKeys = (ename: EName) => Promise<readonly CertifiedKey[]>;
