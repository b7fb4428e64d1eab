/**
 * Every way in which a wallet refuses or fails, in one closed table. A request to a party that is down may be repeated,
 * a refusal may not.
 */
export const WALLET_ERRORS = {
  INVALID_URI: "The text is not an address for a wallet, or has a duplicate parameter.",
  INVALID_SESSION:
    "The session is not 16 to 128 letters, digits, - or _, so a signature over it could have another meaning.",
  INVALID_REDIRECT: "The answer would go to an address that is not https, nor http on this machine.",
  INVALID_SIGN_DATA: "The data of a signing request is not base64 JSON with a message, or names another session.",
  TOKEN_TO_SIGN: "The message to sign is a token without a signature; signed, it would be a valid token.",
  INVALID_LIFETIME: "A wallet token lives 1 to 600 whole seconds.",
  INVALID_DOCUMENT: "The document to sign is not a binding document, an access policy or a deployment.",
  INVALID_PRIVATE_KEY: "The text is not a private P-256 key.",
  KEY_NOT_EXPORTABLE: "The key's private half cannot be exported.",
  KEY_MISSING: "The key store has no such key, or another one.",
  KEY_FAILED: "The key did not return a P-256 signature.",
  KEY_NOT_CERTIFIED: "The vault lists no certificate of this key.",
  VAULT_EXISTS: "A vault was created with this key, so the key is not deleted.",
  UNEXPECTED_ANSWER: "A party's answer was not what was requested.",
  REGISTRY_UNAVAILABLE: "The registry did not answer as a registry does.",
  REGISTRY_REFUSED: "The registry refused.",
  PROVISIONER_UNAVAILABLE: "The provisioner did not answer as a provisioner does.",
  PROVISIONER_REFUSED: "The provisioner refused.",
  VAULT_UNAVAILABLE: "The vault did not answer as a vault does.",
  VAULT_REFUSED: "The vault refused.",
  PLATFORM_UNAVAILABLE: "The platform's callback did not answer.",
  PLATFORM_REFUSED: "The platform's callback refused the answer.",
} as const;

/** A code of that table. */
export type WalletErrorCode = keyof typeof WALLET_ERRORS;

/**
 * A refusal of the wallet, or the failure of a party that it contacted.
 *
 * In: `message` is a sentence for a person: what happened, and what to do. `refusal` is the refusing party's own code,
 * such as VERIFICATION_USED, where it has one.
 * Source: decision V2 (one closed table of codes).
 */
export class WalletError extends Error {
  override readonly name = "WalletError";
  readonly code: WalletErrorCode;
  readonly refusal: string | undefined;

  constructor(
    code: WalletErrorCode,
    message: string,
    more: { readonly refusal?: string | undefined; readonly cause?: unknown } = {},
  ) {
    super(message, more.cause === undefined ? {} : { cause: more.cause });
    this.code = code;
    this.refusal = more.refusal;
  }
}
