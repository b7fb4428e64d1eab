// The process that sends the load. It holds sets of whole HTTP requests and sends them over keep-alive connections.
import { answerParent } from "./child.ts";
import { type HttpClient, openHttpClient } from "./http-client.ts";
import type { LoadResult, LoadRun, RequestSet } from "./load-process.ts";
import { percentile } from "./statistics.ts";

const sets = new Map<string, RequestSet>();

answerParent(
  {
    prepare: async (set: RequestSet) => {
      sets.set(set.name, set);
    },
    run: (run: LoadRun) => runLoad(run),
  },
  async () => undefined,
);

async function runLoad({ name, connections, durationMs, perSecond }: LoadRun): Promise<LoadResult> {
  const set = sets.get(name);
  if (set === undefined) throw new Error(`no requests ${name}`);
  const clients = await Promise.all(Array.from({ length: connections }, () => openHttpClient(set.port)));
  const latenciesMs: number[] = [];
  const startMs = performance.now();
  const untilMs = startMs + durationMs;
  const gapMs = perSecond === undefined ? 0 : 1_000 / perSecond;
  const window = { requests: set.requests, startMs, untilMs, gapMs, latenciesMs, due: 0 };
  await Promise.all(clients.map((client) => sendUntil(client, window)));
  const elapsedMs = performance.now() - startMs;
  for (const client of clients) client.close();
  return {
    operations: latenciesMs.length,
    elapsedMs,
    p50Ms: percentile(latenciesMs, 0.5),
    p99Ms: percentile(latenciesMs, 0.99),
  };
}

interface TimeWindow {
  readonly requests: readonly string[];
  readonly startMs: number;
  readonly untilMs: number;
  /** Between two requests of all connections; 0: none. */
  readonly gapMs: number;
  readonly latenciesMs: number[];
  /** How many requests have had their turn. */
  due: number;
}

// A request that finds no connection free is late, and its lateness counts.
async function sendUntil(client: HttpClient, window: TimeWindow): Promise<void> {
  const { requests, startMs, untilMs, gapMs, latenciesMs } = window;
  for (;;) {
    const dueMs = gapMs === 0 ? performance.now() : startMs + gapMs * window.due++;
    if (dueMs >= untilMs) return;
    const earlyMs = dueMs - performance.now();
    if (earlyMs > 0) await new Promise((resolve) => setTimeout(resolve, earlyMs));
    const sentMs = earlyMs > 0 ? performance.now() : dueMs;
    await client.send(requests[Math.floor(Math.random() * requests.length)] as string);
    latenciesMs.push(performance.now() - sentMs);
  }
}
