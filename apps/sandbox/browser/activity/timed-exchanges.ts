import type { Fetch } from "@dataspace/clients/timed-fetch";
import type { Exchange } from "@dataspace/wallet/exchange";

/** An exchange with its duration in milliseconds, and the headers that were sent, without usable tokens. */
export interface TimedExchange extends Exchange {
  readonly durationMs: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** A `fetch` to hand to the wallet, and a receiver of its exchanges. */
export interface ExchangeTimer {
  readonly fetch: Fetch;
  readonly report: (exchange: Exchange) => void;
}

interface Started {
  readonly atMs: number;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Adds duration and headers to the exchanges that the wallet reports. Two equal requests at the same time are matched
 * in the order in which they began.
 *
 * In: `nowMs` counts milliseconds. Refuses: as `fetch`.
 */
export function timeExchanges(
  deps: { readonly fetch: Fetch; readonly nowMs: () => number },
  report: (exchange: TimedExchange) => void,
): ExchangeTimer {
  const started = new Map<string, Started[]>();
  return {
    fetch: (url, init) => {
      const key = `${init.method ?? "GET"} ${url}`;
      const begun = { atMs: deps.nowMs(), headers: toShownHeaders(init.headers) };
      started.set(key, [...(started.get(key) ?? []), begun]);
      return deps.fetch(url, init);
    },
    report: (exchange) => {
      const key = `${exchange.method} ${exchange.url}`;
      const [first, ...others] = started.get(key) ?? [];
      started.set(key, others);
      const { atMs, headers } = first ?? { atMs: deps.nowMs(), headers: {} };
      report({ ...exchange, headers, durationMs: Math.round(deps.nowMs() - atMs) });
    },
  };
}

function toShownHeaders(headers: RequestInit["headers"]): Readonly<Record<string, string>> {
  const entries = [...new Headers(headers)].map(([name, value]) => [
    name,
    name === "authorization" ? `${value.split(" ")[0]} $TOKEN` : value,
  ]);
  return Object.fromEntries(entries) as Record<string, string>;
}
