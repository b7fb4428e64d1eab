/**
 * Checks whether a JWK allows verification: `use` and `key_ops`, where they are present.
 *
 * In: the unverified members. Out: false for a `use` other than `sig`, and for a `key_ops` that is not an array or
 * lacks `verify`.
 * Refuses: never. Source: RFC 7517 sections 4.2 and 4.3; decision I4.
 */
export function isVerificationJwk({ use = "sig", key_ops: keyOps = ["verify"] }: JwkUse): boolean {
  return use === "sig" && Array.isArray(keyOps) && keyOps.includes("verify");
}

/** The members of a JWK that state its purpose. */
export interface JwkUse {
  readonly use?: unknown;
  readonly key_ops?: unknown;
}
