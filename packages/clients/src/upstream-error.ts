/**
 * The ways in which asking another party can fail; `refused` is an answer, with a status, that is not a success, and
 * `forbidden_target` an address that was not asked, because it is none that may be.
 */
export type UpstreamErrorCode = "timeout" | "unreachable" | "refused" | "malformed" | "too_large" | "forbidden_target";

/** What a refusing party answered: its status, the code of its error body where it has one, and that body. */
export interface UpstreamRefusal {
  readonly status: number;
  readonly code: string | undefined;
  readonly body: unknown;
}

const MAX_CODE_CHARACTERS = 64;

/** Reads a refusal, whose code is that of the error body `{error: {code}}`, where there is one. Refuses: never. Source: S2 "Errors". */
export function toRefusal(status: number, body: unknown): UpstreamRefusal {
  const code = (body as { error?: { code?: unknown } | null } | null | undefined)?.error?.code;
  return { status, code: typeof code === "string" ? code.slice(0, MAX_CODE_CHARACTERS) : undefined, body };
}

/**
 * Another party did not give what it was asked for; the room above decides what that means to its own caller.
 *
 * In: `message` names the party and the act; `refusal` comes with the code `refused` alone. The refusal is not an
 * enumerable member, so that logging the error does not log what the other party wrote.
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
