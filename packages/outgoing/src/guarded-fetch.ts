import { Client } from "undici";
import {
  createGuardedConnector,
  GUARDED_HEADER_BYTES,
  GUARDED_TIMEOUT_MS,
  lateError,
  toOutgoingError,
} from "./guarded-connector.ts";
import { findGuardedTarget, type GuardedTarget, type ResolveHost } from "./guarded-target.ts";
import type { OutgoingAllow } from "./outgoing-allow.ts";

/** A `fetch` for URLs that come from outside. Its body, where there is one, is text or bytes. */
export type GuardedFetch = (url: string, init: RequestInit) => Promise<Response>;

const MAX_BODY_BYTES = 1_048_576;

/**
 * Makes the client for single requests to URLs that somebody else named, such as a vault's address or a document.
 * `createGuardedPost` is the one for repeated webhooks.
 *
 * Each request resolves its host once and connects only to the checked addresses, on a new connection, with the host's
 * name in SNI and Host. So a name that changes its address later never reuses a connection. It follows no redirect (the
 * answer is the 3xx itself), decompresses nothing, uses no proxy, and ends after 5 s, body included. The caller's
 * `signal` may end it sooner. Answers are limited to 16 KiB of headers and 1 MiB of body; the caller sets lower limits
 * while it reads.
 * Refuses: OutgoingError; the signal's own reason when the signal ended it. Source: decision E6.
 */
export function createGuardedFetch(
  deps: { readonly resolveHost: ResolveHost },
  config: { readonly allow: OutgoingAllow },
): GuardedFetch {
  return async (url, init) => {
    const deadline = AbortSignal.timeout(GUARDED_TIMEOUT_MS);
    const signal = init.signal ? AbortSignal.any([init.signal, deadline]) : deadline;
    const failure = (error: unknown): unknown => {
      if (init.signal?.aborted) return init.signal.reason;
      if (deadline.aborted) return lateError(url, error);
      return toOutgoingError(error, url);
    };
    try {
      const target = await untilAborted(findGuardedTarget(url, deps, config.allow), signal);
      return await send(target, { ...init, signal }, failure);
    } catch (error) {
      throw failure(error);
    }
  };
}

async function send(
  { url, addresses }: GuardedTarget,
  init: RequestInit & { readonly signal: AbortSignal },
  failure: (error: unknown) => unknown,
): Promise<Response> {
  const client = new Client(url.origin, {
    connect: createGuardedConnector(addresses, url),
    allowH2: false,
    maxHeaderSize: GUARDED_HEADER_BYTES,
    maxResponseSize: MAX_BODY_BYTES,
    headersTimeout: GUARDED_TIMEOUT_MS,
    bodyTimeout: GUARDED_TIMEOUT_MS,
  });
  try {
    const { statusCode, headers, body } = await client.request({
      method: (init.method ?? "GET") as "GET",
      path: url.pathname + url.search,
      headers: Object.fromEntries(new Headers(init.headers)),
      body: readBody(init.body),
      signal: init.signal,
      reset: true,
    });
    const parts = ReadableStream.from(readParts(body, client, failure));
    const isWithoutBody = statusCode === 204 || statusCode === 205 || statusCode === 304;
    if (isWithoutBody) await parts.cancel();
    return new Response(isWithoutBody ? null : parts, { status: statusCode, headers: toHeaders(headers) });
  } catch (error) {
    await client.destroy();
    throw error;
  }
}

async function* readParts(
  body: AsyncIterable<Uint8Array>,
  client: Client,
  failure: (error: unknown) => unknown,
): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    throw failure(error);
  } finally {
    await client.destroy();
  }
}

function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = new Promise<never>((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    if (signal.aborted) reject(signal.reason);
  });
  return Promise.race([work, aborted]);
}

function readBody(body: RequestInit["body"]): string | Uint8Array | null {
  if (body === undefined || body === null) return null;
  if (typeof body === "string" || body instanceof Uint8Array) return body;
  throw new TypeError("A guarded request sends text or bytes.");
}

function toHeaders(received: Readonly<Record<string, string | string[] | undefined>>): Headers {
  const headers = new Headers();
  for (const [name, values] of Object.entries(received)) {
    for (const value of [values ?? []].flat()) headers.append(name, value);
  }
  return headers;
}
