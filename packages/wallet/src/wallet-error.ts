/** Every way in which a wallet refuses or fails: one closed table. A party that is down may be asked again, a refusal may not. */
export const WALLET_ERRORS = {
  INVALID_URI: "The text is not an address that a wallet acts on, or it says one thing twice.",
  INVALID_SESSION:
    "The session is not 16 to 128 letters, digits, - or _, so it could be read as something else signed.",
  INVALID_REDIRECT: "The answer would go to an address that is not https, nor http on this machine.",
  INVALID_SIGN_DATA: "The data of a request to sign is not base64 JSON with a message, or names another session.",
  TOKEN_TO_SIGN: "The message to sign is the inside of a token, which signed would be a token.",
  INVALID_LIFETIME: "A wallet token lives 1 to 600 whole seconds.",
  INVALID_DOCUMENT: "What is to be signed is not a binding document, an access policy or a deployment.",
  INVALID_PRIVATE_KEY: "The text is not a private P-256 key.",
  KEY_NOT_EXPORTABLE: "The key was made so that its private half never leaves.",
  KEY_MISSING: "The key store has no such key, or another one.",
  KEY_FAILED: "The key gave no P-256 signature.",
  KEY_NOT_CERTIFIED: "The vault lists no certificate of this key.",
  VAULT_EXISTS: "A vault was made with this key, so the key is not thrown away.",
  UNEXPECTED_ANSWER: "A party answered something else than it was asked for.",
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
 * A wallet refused, or a party it asked did not give what it needs.
 *
 * In: `message` is a sentence for a person: what happened, and what to do. `refusal` is the refusing party's own code, such
 * as VERIFICATION_USED, where it has one.
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
