import type { Fetch } from "@dataspace/clients/timed-fetch";
import type { ClientClock } from "./client-clock.ts";
import { VaultError } from "./vault-error.ts";

/** The network and the time, as every request needs them. */
export interface ExchangeDeps {
  readonly fetch: Fetch;
  readonly clock: ClientClock;
}

/** One HTTP request. `timeoutMs` bounds all of it, the answer's body included. */
export interface HttpRequest {
  readonly url: string;
  readonly method: "GET" | "HEAD" | "POST";
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** What came back, read to its end. */
export interface HttpAnswer {
  readonly status: number;
  readonly url: string;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
}

const MAX_ANSWER_BYTES = 32 * 1_048_576;
/** Failures of Node's `fetch` before it sent anything. */
const NEVER_SENT = ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH", "UND_ERR_CONNECT_TIMEOUT"];

/**
 * Sends one request and reads its answer within a time limit and a size limit. Redirects are not followed: a credential goes only to
 * the address that the registry names.
 *
 * Refuses: VAULT_UNREACHABLE, VAULT_TIMEOUT, ANSWER_TOO_LARGE; the reason of `signal`. Source: S3 "Vault client rules"; decision E6.
 */
export async function exchange(deps: ExchangeDeps, request: HttpRequest): Promise<HttpAnswer> {
  const { url, method, headers, body, timeoutMs, signal } = request;
  signal?.throwIfAborted();
  const deadline = new AbortController();
  const onAbort = () => deadline.abort(signal?.reason);
  signal?.addEventListener("abort", onAbort, { once: true });
  const stopTimer = deps.clock.startTimer(timeoutMs, () => deadline.abort());
  try {
    const init = { method, headers, redirect: "manual", signal: deadline.signal } as const;
    const response = await deps.fetch(url, body === undefined ? init : { ...init, body });
    return { url, status: response.status, headers: response.headers, bytes: await readBounded(response) };
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    throw toVaultError(error, deadline.signal.aborted, request);
  } finally {
    stopTimer();
    signal?.removeEventListener("abort", onAbort);
  }
}

function toVaultError(error: unknown, isLate: boolean, { url, method, timeoutMs }: HttpRequest): VaultError {
  if (error instanceof VaultError) return error;
  const what = `${method} ${url.split(/[?#]/)[0]}`;
  if (isLate) {
    const message = `${what} got no answer within ${timeoutMs} ms.`;
    return new VaultError("VAULT_TIMEOUT", message, { mayBeWritten: true, cause: error });
  }
  const isSent = !codesOf(error).some((code) => NEVER_SENT.includes(code));
  const message = `${what} got no answer: ${isSent ? "the connection broke" : "no connection could be made"}.`;
  return new VaultError("VAULT_UNREACHABLE", message, { mayBeWritten: isSent, cause: error });
}

/** The codes of an error and its causes. A name with two addresses fails with one error for each. */
function codesOf(error: unknown): readonly string[] {
  const { code, cause } = (error ?? {}) as { readonly code?: unknown; readonly cause?: unknown };
  const own = typeof code === "string" ? [code] : [];
  return cause === undefined || cause === error ? own : [...own, ...codesOf(cause)];
}

async function readBounded({ body }: Response): Promise<Uint8Array> {
  if (body === null) return new Uint8Array();
  const parts: Uint8Array[] = [];
  const reader = body.getReader();
  let sizeBytes = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    sizeBytes += part.value.byteLength;
    if (sizeBytes > MAX_ANSWER_BYTES) {
      await reader.cancel();
      const message = `The vault's answer is larger than ${MAX_ANSWER_BYTES} bytes. Ask for smaller pages.`;
      throw new VaultError("ANSWER_TOO_LARGE", message, { mayBeWritten: true });
    }
    parts.push(part.value);
  }
  return parts.length === 1 ? (parts[0] as Uint8Array) : concat(parts, sizeBytes);
}

function concat(parts: readonly Uint8Array[], sizeBytes: number): Uint8Array {
  const bytes = new Uint8Array(sizeBytes);
  let offset = 0;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.byteLength;
  }
  return bytes;
}
