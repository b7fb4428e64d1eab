/** The ways in which a guarded request fails before there is an answer. */
export type OutgoingErrorCode = "forbidden_target" | "timeout" | "unreachable" | "malformed" | "too_large";

/**
 * A request to an address from outside failed, or was not made at all (`forbidden_target`).
 *
 * The message names the address as given and never its resolved addresses: whoever named it must not learn our network.
 * Source: decision E6.
 */
export class OutgoingError extends Error {
  override readonly name = "OutgoingError";
  readonly code: OutgoingErrorCode;

  constructor(code: OutgoingErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause });
    this.code = code;
  }
}
