/** What a developer of a receiver has to put right: how it was made, or where it was mounted. */
export type ReceiverErrorCode =
  | "NOTHING_TRUSTED"
  | "INSECURE_AND_TRUST"
  | "INVALID_AWARENESS_URL"
  | "INVALID_TARGET_URL"
  | "BODY_ALREADY_READ";

/** A receiver that cannot work as it was set up; the message says what to change. */
export class ReceiverError extends Error {
  override readonly name = "ReceiverError";
  readonly code: ReceiverErrorCode;

  constructor(code: ReceiverErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
