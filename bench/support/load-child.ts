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

async function runLoad({ name, connections, durationMs }: LoadRun): Promise<LoadResult> {
  const set = sets.get(name);
  if (set === undefined) throw new Error(`no requests ${name}`);
  const clients = await Promise.all(Array.from({ length: connections }, () => openHttpClient(set.port)));
  const latenciesMs: number[] = [];
  const startMs = performance.now();
  const untilMs = startMs + durationMs;
  await Promise.all(clients.map((client) => sendUntil(client, { requests: set.requests, untilMs, latenciesMs })));
  const elapsedMs = performance.now() - startMs;
  for (const client of clients) client.close();
  return {
    operations: latenciesMs.length,
    elapsedMs,
    p50Ms: percentile(latenciesMs, 0.5),
    p99Ms: percentile(latenciesMs, 0.99),
  };
}

interface Slot {
  readonly requests: readonly string[];
  readonly untilMs: number;
  readonly latenciesMs: number[];
}

async function sendUntil(client: HttpClient, { requests, untilMs, latenciesMs }: Slot): Promise<void> {
  let sentMs = performance.now();
  while (sentMs < untilMs) {
    await client.send(requests[Math.floor(Math.random() * requests.length)] as string);
    const nowMs = performance.now();
    latenciesMs.push(nowMs - sentMs);
    sentMs = nowMs;
  }
}
