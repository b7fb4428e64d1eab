import type { Fetch } from "@dataspace/clients/timed-fetch";

/** One question a wallet put to another party, and what came back, for the person's own log. Headers, so tokens, are not in it. */
export interface Exchange {
  readonly step: ExchangeStep;
  readonly method: string;
  readonly url: string;
  /** The JSON that was sent, undefined where nothing was. */
  readonly request: unknown;
  /** 0 where no answer came. */
  readonly status: number;
  /** The JSON of the answer, or its text. */
  readonly response: unknown;
}

/** Why the wallet asked. */
export type ExchangeStep = "entropy" | "provision" | "certificates" | "addKey" | "callback" | "vault";

/** Takes each exchange once it is over. */
export type ReportExchange = (exchange: Exchange) => void;

// A page of records, each of at most 1 MiB; every question sets itself a lower bound beside this one.
const MAX_BYTES = 33_554_432;
const NO_BODY: readonly number[] = [0, 101, 204, 205, 304];
// Whoever reads over a shoulder, or is sent the log, could use these.
const MASKED: readonly string[] = ["token", "registryEntropy", "verificationId"];

/**
 * Makes a `fetch` that reports what it did; codes and tokens that could still be used are masked.
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
