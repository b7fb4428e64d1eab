/**
 * A request that must not go on: thrown anywhere below a door, turned into an answer once, at the door.
 *
 * In: `code` from the app's closed table, `message` saying what to do, `status` for plain HTTP doors, `field` naming the
 * input at fault, `detail` for members the answer carries beside code and message, `retryAfterSeconds` for its Retry-After header.
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
