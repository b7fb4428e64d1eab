import type { Fetch } from "@dataspace/clients/timed-fetch";

/**
 * One request of the wallet to another party and its answer, for the person's own log. It contains no headers, and so
 * no tokens.
 */
export interface Exchange {
  readonly step: ExchangeStep;
  readonly method: string;
  readonly url: string;
  /** The JSON that was sent; undefined without a body. */
  readonly request: unknown;
  /** 0 without an answer. */
  readonly status: number;
  /** The JSON of the answer, or its text. */
  readonly response: unknown;
}

/** Why the wallet made the request. */
export type ExchangeStep = "entropy" | "provision" | "certificates" | "addKey" | "callback" | "vault";

/** Receives each exchange after it has ended. */
export type ReportExchange = (exchange: Exchange) => void;

// A page of records, each of at most 1 MiB; each request also sets a lower limit.
const MAX_BYTES = 33_554_432;
const NO_BODY: readonly number[] = [0, 101, 204, 205, 304];
// Somebody who reads along, or receives the log, could use these.
const MASKED: readonly string[] = ["token", "registryEntropy", "verificationId"];

/**
 * Makes a `fetch` that reports its exchanges; codes and tokens that are still usable are masked.
 *
 * Refuses: what `fetch` refuses, and an answer over 32 MiB with the code `too_large`.
 * Source: S3 "Sandbox" (log panel); decision P7.
 */
export function createReportingFetch(deps: { readonly fetch: Fetch; readonly report: ReportExchange | undefined }) {
  return (step: ExchangeStep): Fetch => {
    const { fetch, report } = deps;
    if (report === undefined) return fetch;
    return async (url, init) => {
      const asked = { step, method: init.method ?? "GET", url, request: toShown(init.body) };
      try {
        const { response, text } = await readWhole(await fetch(url, init));
        report({ ...asked, status: response.status, response: toShown(text) });
        return response;
      } catch (error) {
        report({ ...asked, status: 0, response: undefined });
        throw error;
      }
    };
  };
}

async function readWhole(response: Response): Promise<{ readonly response: Response; readonly text: string }> {
  if (NO_BODY.includes(response.status) || response.body === null) return { response, text: "" };
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let sizeBytes = 0;
  const reader = response.body.getReader(); // not every browser iterates over a body
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    sizeBytes += part.value.byteLength;
    if (sizeBytes > MAX_BYTES) {
      await reader.cancel();
      throw Object.assign(new Error("too large"), { code: "too_large" });
    }
    parts.push(part.value);
  }
  const bytes = new Blob(parts);
  const { status, headers } = response;
  return { response: new Response(bytes, { status, headers }), text: await bytes.text() };
}

function toShown(body: unknown): unknown {
  if (typeof body !== "string" || body === "") return undefined;
  try {
    return JSON.parse(body, (name, value: unknown) => (MASKED.includes(name) ? "(not shown)" : value));
  } catch {
    return body;
  }
}
