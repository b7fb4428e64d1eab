import { parseJson } from "./parse-json.ts";
import { toRefusal, UpstreamError, type UpstreamErrorCode } from "./upstream-error.ts";

/**
 * The part of `fetch` that is used here: the platform's own, or a guarded one that states in the `code` of an error why
 * it refused a target.
 */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/**
 * One request to another party. `body` is sent as JSON, `bodyText` is already JSON; `maxBytes` limits the answer, 64
 * KiB when absent.
 */
export interface TimedRequest {
  readonly url: string;
  readonly method?: "GET" | "HEAD" | "POST" | "PATCH" | "DELETE";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly bodyText?: string;
  readonly timeoutMs?: number;
  readonly maxBytes?: number;
}

const DEFAULT_TIMEOUT_MS = 5_000;
const DEFAULT_MAX_BYTES = 65_536;
/** The codes of a guarded `fetch`, and how they are reported. */
const GUARD_WORDS: Partial<Record<string, readonly [UpstreamErrorCode, string]>> = {
  forbidden_target: ["forbidden_target", "was not contacted: its address is not allowed"],
  malformed: ["malformed", "did not answer in valid HTTP"],
  timeout: ["timeout", "did not answer in time"],
  too_large: ["too_large", "answered more than the size limit"],
};

/**
 * Sends a request and reads the answer as JSON, within one time limit for everything and one size limit.
 *
 * Out: the value of a 2xx answer, undefined where its body is empty. Redirects are not followed; they count as
 * refusals.
 * Refuses: UpstreamError `timeout`, `unreachable`, `refused` (any status but 2xx, with the status and the error body),
 * `malformed` (not JSON), `too_large`, and `forbidden_target` where `fetch` guards.
 * Source: S1 "Delivery rules" and S2 "Errors" (5 seconds); decision E6.
 */
export async function fetchJson(fetch: Fetch, request: TimedRequest): Promise<unknown> {
  const text = await fetchText(fetch, request);
  if (text === "") return undefined;
  const value = parseJson(text);
  if (value === undefined) throw new UpstreamError("malformed", `${nameOf(request)} did not answer JSON.`);
  return value;
}

/**
 * Sends a request and reads the answer as text, within the same limits.
 *
 * Refuses: as `fetchJson`, except for text that is not JSON. Source: decision E6.
 */
export async function fetchText(fetch: Fetch, request: TimedRequest): Promise<string> {
  const signal = AbortSignal.timeout(request.timeoutMs ?? DEFAULT_TIMEOUT_MS);
  const { status, text } = await send(fetch, request, signal);
  const what = nameOf(request);
  if (status < 200 || status > 299) {
    const refusal = toRefusal(status, parseJson(text));
    throw new UpstreamError(
      "refused",
      `${what} was refused with status ${status}${refusal.code ? ` ${refusal.code}` : ""}.`,
      {
        refusal,
      },
    );
  }
  return text;
}

async function send(
  fetch: Fetch,
  request: TimedRequest,
  signal: AbortSignal,
): Promise<{ status: number; text: string }> {
  const { url, method = "GET", headers = {}, maxBytes = DEFAULT_MAX_BYTES } = request;
  const body = request.bodyText ?? (request.body === undefined ? undefined : JSON.stringify(request.body));
  const what = nameOf(request);
  try {
    const response = await fetch(url, {
      method,
      redirect: "manual",
      signal,
      headers: {
        accept: "application/json",
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body }),
    });
    const text = await readBounded(response, maxBytes);
    if (text === undefined) throw new UpstreamError("too_large", `${what} answered more than ${maxBytes} bytes.`);
    return { status: response.status, text };
  } catch (error) {
    if (error instanceof UpstreamError) throw error;
    if (signal.aborted) throw new UpstreamError("timeout", `${what} did not answer in time.`, { cause: error });
    const said = (error as { readonly code?: unknown } | null | undefined)?.code;
    const [code, words] = GUARD_WORDS[String(said)] ?? ["unreachable", "could not be reached"];
    throw new UpstreamError(code, `${what} ${words}.`, { cause: error });
  }
}

async function readBounded(response: Response, maxBytes: number): Promise<string | undefined> {
  if (response.body === null) return "";
  const decoder = new TextDecoder();
  const reader = response.body.getReader();
  let text = "";
  let sizeBytes = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    sizeBytes += part.value.byteLength;
    if (sizeBytes > maxBytes) {
      await reader.cancel();
      return undefined;
    }
    text += decoder.decode(part.value, { stream: true });
  }
  return text + decoder.decode();
}

// A query (an eName, a cursor) must not appear in a message that may be logged.
function nameOf({ method = "GET", url }: TimedRequest): string {
  return `${method} ${url.split(/[?#]/)[0]}`;
}
