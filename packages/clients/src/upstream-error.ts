/**
 * The ways in which a request to another party fails. `refused` is an answer with an error status. `forbidden_target`
 * is an address that was not contacted because it is not allowed.
 */
export type UpstreamErrorCode = "timeout" | "unreachable" | "refused" | "malformed" | "too_large" | "forbidden_target";

/** A refusing party's answer: its status, the code of its error body where there is one, and that body. */
export interface UpstreamRefusal {
  readonly status: number;
  readonly code: string | undefined;
  readonly body: unknown;
}

const MAX_CODE_CHARACTERS = 64;

/**
 * Reads a refusal; its code comes from the error body `{error: {code}}`, where there is one. Refuses: never. Source: S2
 * "Errors".
 */
export function toRefusal(status: number, body: unknown): UpstreamRefusal {
  const code = (body as { error?: { code?: unknown } | null } | null | undefined)?.error?.code;
  return { status, code: typeof code === "string" ? code.slice(0, MAX_CODE_CHARACTERS) : undefined, body };
}

/**
 * Another party did not return what was requested; the room above decides what that means for its own caller.
 *
 * In: `message` names the party and the action; `refusal` comes only with the code `refused`. The refusal is not an
 * enumerable member, so that logging the error does not log the other party's text.
 * Source: S2 "Errors" (timeouts and unreachable parties); decisions P7, E6.
 */
export class UpstreamError extends Error {
  override readonly name = "UpstreamError";
  readonly code: UpstreamErrorCode;
  readonly #refusal: UpstreamRefusal | undefined;

  constructor(
    code: UpstreamErrorCode,
    message: string,
    more: { readonly refusal?: UpstreamRefusal; readonly cause?: unknown } = {},
  ) {
    super(message, more.cause === undefined ? {} : { cause: more.cause });
    this.code = code;
    this.#refusal = more.refusal;
  }

  get refusal(): UpstreamRefusal | undefined {
    return this.#refusal;
  }
}
