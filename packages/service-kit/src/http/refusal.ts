/**
 * A request that must not continue. It is thrown anywhere below a door and converted into an answer at the door.
 *
 * In: `code` from the app's closed table; `message` says what to do; `status` for plain HTTP doors; `field` names the
 * input at fault; `detail` are additional members of the answer; `retryAfterSeconds` is the Retry-After header.
 * Source: decisions V2.
 */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly code: string;
  readonly status: number;
  readonly field: string | undefined;
  readonly detail: Readonly<Record<string, string>> | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: string,
    message: string,
    more: {
      readonly status: number;
      readonly field?: string;
      readonly detail?: Readonly<Record<string, string>>;
      readonly retryAfterSeconds?: number;
    },
  ) {
    super(message);
    this.code = code;
    this.status = more.status;
    this.field = more.field;
    this.detail = more.detail;
    this.retryAfterSeconds = more.retryAfterSeconds;
  }
}
