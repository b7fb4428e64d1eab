import { OutgoingError } from "@dataspace/outgoing/outgoing-error";
import type { BrokenOff, GuardedPost } from "@dataspace/outgoing/guarded-post";
import type { Clock } from "@dataspace/service-kit/clock";

/** One request to an endpoint: the consumer's id, the target, the headers, and the exact text of the body. */
export interface WebhookRequest {
  readonly requester: string;
  readonly targetUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * The outcome: `status` and the answer's first 1 KiB, or, without an answer, `error`, a code such as `timeout`.
 * `brokenOff`: why the answer is incomplete. `retryAfterMs`: the pause that the endpoint requested.
 */
export interface WebhookOutcome {
  readonly startedAtMs: number;
  readonly durationMs: number;
  readonly status: number | null;
  readonly error: string | null;
  readonly answer: string | null;
  readonly brokenOff: BrokenOff | undefined;
  readonly retryAfterMs: number | undefined;
}

/** Whether an endpoint accepted a webhook: only by a 2xx. Refuses: never. Source: S1 "Delivery rules". */
export function isTaken({ status }: Pick<WebhookOutcome, "status">): boolean {
  return status !== null && status >= 200 && status < 300;
}

/** Sends one request; never rejects. */
export type SendWebhook = (request: WebhookRequest) => Promise<WebhookOutcome>;

const MAX_ANSWER_BYTES = 16_384;
const KEPT_ANSWER_BYTES = 1_024;

/**
 * Makes the request to an endpoint: one POST that ends after 5 s and follows no redirect.
 *
 * The status decides. At most 16 KiB of the answer are read, and its first 1 KiB goes to the log, also of an incomplete
 * answer.
 * Refuses: never, failures are outcomes. Source: S1 "Events"; decisions E6, V21.
 */
export function createSendWebhook({ post, clock }: Pick<GuardedPost, "post"> & { readonly clock: Clock }): SendWebhook {
  return async ({ requester, targetUrl: url, headers, body }) => {
    const startedAtMs = clock.nowMs();
    const spent = () => ({ startedAtMs, durationMs: Math.max(0, clock.nowMs() - startedAtMs) });
    const none = { status: null, error: null, answer: null, brokenOff: undefined, retryAfterMs: undefined };
    try {
      const answered = await post({ requester, url, headers, body, keepBytes: MAX_ANSWER_BYTES });
      // PostgreSQL cannot store a zero character in text.
      const answer = toText(answered.body.subarray(0, KEPT_ANSWER_BYTES)).replaceAll("\0", "\uFFFD");
      const retryAfterMs = parseRetryAfter(answered.headers["retry-after"], clock.nowMs());
      const { status, brokenOff } = answered;
      return { ...none, status, answer, brokenOff, retryAfterMs, ...spent() };
    } catch (error) {
      return { ...none, error: error instanceof OutgoingError ? error.code : "unreachable", ...spent() };
    }
  };
}

// A character that the limit splits is left out.
function toText(bytes: Buffer): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes, { stream: true });
}

/**
 * Parses a Retry-After header, seconds or a date; any other value is ignored. Refuses: never. Source: RFC 9110 10.2.3.
 */
export function parseRetryAfter(text: string | readonly string[] | undefined, nowMs: number): number | undefined {
  if (typeof text !== "string") return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const atMs = /GMT$/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs);
}
