import { toRefusal, UpstreamError } from "@dataspace/clients/upstream-error";
import type { Fetch } from "@dataspace/clients/timed-fetch";
import { askParty } from "./ask-party.ts";
import { createReportingFetch, type ReportExchange } from "./exchange.ts";

/** How answers reach a platform. */
export interface SendDeps {
  readonly fetch: Fetch;
  readonly report?: ReportExchange;
}

const TIMEOUT_MS = 10_000;

/**
 * POSTs a signed answer to a platform's callback, as JSON. Any 2xx is success, and its body is not read. Redirects are
 * not followed: the signature goes only to the address that the person saw.
 *
 * Refuses: PLATFORM_UNAVAILABLE, PLATFORM_REFUSED. Source: S2 "Login flow"; decision I10.
 */
export async function sendAnswer(deps: SendDeps, redirect: string, answer: object): Promise<void> {
  const fetch = createReportingFetch({ fetch: deps.fetch, report: deps.report })("callback");
  await askParty("PLATFORM", async () => {
    const response = await post(fetch, redirect, answer);
    if (response.ok) return void response.body?.cancel();
    const body: unknown = await response.json().catch(() => undefined);
    const said = `POST ${redirect.split("?")[0]} was answered ${response.status || "elsewhere"}.`;
    throw new UpstreamError("refused", said, { refusal: toRefusal(response.status || 400, body) });
  });
}

async function post(fetch: Fetch, redirect: string, answer: object): Promise<Response> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    return await fetch(redirect, {
      method: "POST",
      redirect: "manual",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(answer),
      signal,
    });
  } catch (cause) {
    const code = signal.aborted ? "timeout" : "unreachable";
    throw new UpstreamError(code, `POST ${redirect.split("?")[0]} was not answered.`, { cause });
  }
}
