/** What the developer of a receiver has to fix: its configuration, or where it is mounted. */
export type ReceiverErrorCode =
  | "NOTHING_TRUSTED"
  | "INSECURE_AND_TRUST"
  | "INVALID_AWARENESS_URL"
  | "INVALID_TARGET_URL"
  | "BODY_ALREADY_READ";

/** A receiver that cannot work as configured; the message says what to change. */
export class ReceiverError extends Error {
  override readonly name = "ReceiverError";
  readonly code: ReceiverErrorCode;

  constructor(code: ReceiverErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
