import { VAULT_ERROR_STATUS } from "./vault-error-status.ts";

/** A code of the vault's closed table. Source: decision V2. */
export type VaultCode = keyof typeof VAULT_ERROR_STATUS;

/**
 * A failure that this client reports itself. `VAULT_UNREACHABLE`: no connection, or it broke. `VAULT_TIMEOUT`: no answer in time.
 * `VAULT_REFUSED`: a refusal whose code this client does not know. `INVALID_ANSWER`: an answer that is not the vault's protocol.
 * `ANSWER_TOO_LARGE`: over 32 MiB. `TOO_MANY_CALLS`: too many calls of this process wait for the vault. `CREDENTIAL_UNAVAILABLE`:
 * the credential gives no headers.
 */
export type ClientCode =
  | "VAULT_UNREACHABLE"
  | "VAULT_TIMEOUT"
  | "VAULT_REFUSED"
  | "INVALID_ANSWER"
  | "ANSWER_TOO_LARGE"
  | "TOO_MANY_CALLS"
  | "CREDENTIAL_UNAVAILABLE";

/** What is known about a failure beside its code. */
export interface VaultErrorDetails {
  /** The HTTP status that goes with the code; absent when no answer came. */
  readonly status?: number | undefined;
  /** The input at fault, such as `payload.address.city`. */
  readonly field?: string | undefined;
  /** How long the vault asks to wait, in milliseconds. */
  readonly retryAfterMs?: number | undefined;
  /** True when the request may have reached the vault and no refusal came back. */
  readonly mayBeWritten?: boolean;
  readonly cause?: unknown;
}

/**
 * A call to a vault that failed.
 *
 * In: `code` is stable; `message` is a sentence for people. `mayBeWritten` is true for a write whose outcome is not known.
 * Source: decision V2.
 */
export class VaultError extends Error {
  override readonly name = "VaultError";
  readonly code: VaultCode | ClientCode;
  readonly status: number | undefined;
  readonly field: string | undefined;
  readonly retryAfterMs: number | undefined;
  readonly mayBeWritten: boolean;

  constructor(code: VaultCode | ClientCode, message: string, details: VaultErrorDetails = {}) {
    super(message, details.cause === undefined ? {} : { cause: details.cause });
    this.code = code;
    this.status = details.status;
    this.field = details.field;
    this.retryAfterMs = details.retryAfterMs;
    this.mayBeWritten = details.mayBeWritten ?? false;
  }
}

/** Asks whether a text is a code of the vault's table. Refuses: never. Source: decision V2. */
export function isVaultCode(code: unknown): code is VaultCode {
  return typeof code === "string" && Object.hasOwn(VAULT_ERROR_STATUS, code);
}
