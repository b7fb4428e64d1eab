/** Every way in which bytes from outside can violate the protocol. */
export type ProtocolErrorCode =
  | "INVALID_ENAME"
  | "INVALID_NAMESPACE"
  | "INVALID_ENTROPY"
  | "INVALID_JSON"
  | "INVALID_PUBLIC_KEY"
  | "INVALID_PRIVATE_KEY"
  | "INVALID_TOKEN"
  | "INVALID_CERTIFICATE"
  | "INVALID_ENVELOPE_ID"
  | "INVALID_ACL"
  | "INVALID_BINDING_DOCUMENT"
  | "INVALID_ACCESS_POLICY"
  | "INVALID_CHALLENGE"
  | "INVALID_DEPLOYMENT"
  | "INVALID_SUBMISSION"
  | "INVALID_VERSION"
  | "INVALID_URI"
  | "INVALID_SESSION"
  | "INVALID_WEBHOOK"
  | "INVALID_WEBHOOK_SECRET";

/**
 * A value that violates the protocol; the room above converts it into its own answer.
 *
 * In: `code` from the closed union; `message` states what is wrong and what to send instead; `at` is the place inside
 * the value (`grants[0].perms`) where there is one.
 */
export class ProtocolError extends Error {
  override readonly name = "ProtocolError";
  readonly code: ProtocolErrorCode;
  readonly at: string | undefined;

  constructor(code: ProtocolErrorCode, message: string, at?: string) {
    super(message);
    this.code = code;
    this.at = at;
  }
}
