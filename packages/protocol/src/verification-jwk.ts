/**
 * Tells whether a JWK says that its key verifies signatures: `use` and `key_ops`, where they are present.
 *
 * In: the members as they came. Out: false for another `use` than `sig`, and for a `key_ops` that is no array or lacks `verify`.
 * Refuses: never. Source: RFC 7517 sections 4.2 and 4.3; decision I4.
 */
export function isVerificationJwk({ use = "sig", key_ops: keyOps = ["verify"] }: JwkUse): boolean {
  return use === "sig" && Array.isArray(keyOps) && keyOps.includes("verify");
}

/** The members of a JWK that say what its key is for. */
export interface JwkUse {
  readonly use?: unknown;
  readonly key_ops?: unknown;
}
