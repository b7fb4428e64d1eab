// Both peers of an awareness service in one process: it sends events as vaults do and receives webhooks as platforms
// do.
import { answerParent } from "./child.ts";
import type { Drain, Feed, Steady } from "./far-end.ts";
import { type HttpClient, openHttpClient } from "./http-client.ts";
import type { LoadResult } from "./load-process.ts";
import { createEventSource, type EventSource } from "./sample-events.ts";
import { percentile } from "./statistics.ts";
import { startWebhookReceiver } from "./webhook-receiver.ts";

const receiver = await startWebhookReceiver();
const BATCH = 100;
const FEEDERS = 2;
const TICK_MS = 5;
const LOOK_MS = 2;

answerParent(
  {
    port: async () => receiver.port,
    counts: async () => receiver.counts(),
    feed: (feed: Feed) => feedAsTaken(feed),
    steady: (steady: Steady) => feedSteadily(steady),
    take: (durationMs: number) => takeFor(durationMs),
    drain: (drain: Drain) => drainFrom(drain),
  },
  async () => undefined,
);

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Sends as many events as are accepted, so that few wait, and waits until the last has arrived. */
async function feedAsTaken({ port, secret, durationMs, ...feed }: Feed): Promise<LoadResult> {
  const clients = await Promise.all(Array.from({ length: FEEDERS }, () => openHttpClient(port)));
  const before = receiver.counts().received;
  receiver.takeLatencies();
  const startMs = performance.now();
  let handed = 0;
  const isFull = () => handed * feed.subscriptions - (receiver.counts().received - before) > feed.waiting;
  async function feedUntilEnd(client: HttpClient, source: EventSource): Promise<void> {
    while (performance.now() < startMs + durationMs) {
      if (isFull()) await pause(LOOK_MS);
      else {
        handed += BATCH;
        await client.send(ingestRequest(source, BATCH, secret));
      }
    }
  }
  await Promise.all(clients.map((client) => feedUntilEnd(client, createEventSource(feed.records / FEEDERS))));
  for (const client of clients) client.close();
  await untilAll(before + handed * feed.subscriptions);
  return toResult(receiver.takeLatencies(), performance.now() - startMs);
}

/** Sends events at a steady rate, a few at a time, and waits until the last has arrived. */
async function feedSteadily({ port, secret, eventsPerSecond, durationMs, subscriptions }: Steady): Promise<LoadResult> {
  const client = await openHttpClient(port);
  const source = createEventSource(1_000);
  const before = receiver.counts().received;
  receiver.takeLatencies();
  const startMs = performance.now();
  let handed = 0;
  for (;;) {
    const elapsedMs = performance.now() - startMs;
    const due = Math.min(BATCH, Math.floor((Math.min(elapsedMs, durationMs) / 1_000) * eventsPerSecond) - handed);
    if (due > 0) await client.send(ingestRequest(source, due, secret));
    handed += Math.max(0, due);
    if (elapsedMs >= durationMs) break;
    await pause(TICK_MS);
  }
  client.close();
  await untilAll(before + handed * subscriptions);
  return toResult(receiver.takeLatencies(), performance.now() - startMs);
}

/** Counts what comes in a time. */
async function takeFor(durationMs: number): Promise<LoadResult> {
  receiver.takeLatencies();
  const startMs = performance.now();
  await pause(durationMs);
  return toResult(receiver.takeLatencies(), performance.now() - startMs);
}

/** Counts what comes from the first one on, until there is no more or the time is over. */
async function drainFrom({ waiting, durationMs }: Drain): Promise<LoadResult> {
  receiver.takeLatencies();
  const before = receiver.counts().received;
  await untilAll(before + 1);
  const startMs = performance.now();
  while (receiver.counts().received < before + waiting && performance.now() < startMs + durationMs)
    await pause(LOOK_MS);
  return toResult(receiver.takeLatencies(), performance.now() - startMs);
}

async function untilAll(received: number): Promise<void> {
  for (const endMs = performance.now() + 60_000; receiver.counts().received < received; await pause(LOOK_MS)) {
    if (performance.now() > endMs) throw new Error(`${received - receiver.counts().received} webhooks did not come`);
  }
}

function toResult(latenciesMs: readonly number[], elapsedMs: number): LoadResult {
  const [p50Ms, p99Ms] = [0.5, 0.99].map((share) => percentile(latenciesMs, share)) as [number, number];
  return { operations: latenciesMs.length, elapsedMs, p50Ms, p99Ms };
}

function ingestRequest(source: EventSource, events: number, secret: string): string {
  const body = `[${Array.from({ length: events }, () => source.next()).join(",")}]`;
  return `POST /ingest HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\nauthorization: Bearer ${secret}\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
}
