/** Why nothing was signed. */
export type SigningErrorCode = "CHALLENGE_REFUSED" | "DOMAINS_NOT_REQUESTED";

/** Something that must not be signed. In: `message` says what to do instead. Source: decision A1. */
export class SigningError extends Error {
  override readonly name = "SigningError";
  readonly code: SigningErrorCode;

  constructor(code: SigningErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
