import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { readOutgoingAllow } from "@dataspace/outgoing/outgoing-allow";
import { DOMAIN_BY_ONTOLOGY } from "@dataspace/protocol/ontology-domain";
import { type Clock, systemClock } from "@dataspace/service-kit/clock";
import { createLog } from "@dataspace/service-kit/log";
import { createMetrics, type Metrics } from "@dataspace/service-kit/monitoring/metrics";
import { createSecret } from "@dataspace/service-kit/secret";
import type { Database } from "@dataspace/service-kit/postgres/database";
import type { WebhookSigningKey } from "../../src/delivery/webhook-signing-key.ts";
import { type Delivery, startDelivery } from "../../src/start-delivery.ts";
import { SERVICE_SECRET, WEBHOOK_KEY } from "./start-awareness.ts";
import { createTestHearing } from "./test-hearing.ts";

/** A request as a receiver got it. */
export interface Received {
  readonly atMs: number;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** A receiver on a free port of this machine. */
export interface Receiver extends AsyncDisposable {
  readonly url: string;
  readonly received: readonly Received[];
}

const LOG = createLog({ service: "awareness", level: "silent", pretty: false });

/** What a test may choose of a worker: the metrics of its service, the keys with which it signs, its clock. */
export interface WorkerChoices {
  readonly metrics?: Metrics;
  readonly webhookKey?: WebhookSigningKey;
  readonly clock?: Clock;
}

/** Starts a worker as a service does; it may send to this machine. */
export function startWorker(database: Database, choices: WorkerChoices = {}): Delivery {
  const { metrics = createMetrics({ log: LOG, monotonicMs: () => performance.now() }), webhookKey = WEBHOOK_KEY } =
    choices;
  const reading = readOutgoingAllow("127.0.0.0/8");
  if ("fault" in reading) throw new Error(reading.fault);
  return startDelivery(
    {
      base: { database, clock: choices.clock ?? systemClock, log: LOG, metrics },
      resolveHost: async () => ["127.0.0.1"],
      monotonicMs: () => performance.now(),
      random: Math.random,
      hearing: createTestHearing(database),
    },
    {
      secret: createSecret(SERVICE_SECRET),
      legacyTokens: "accept",
      domains: DOMAIN_BY_ONTOLOGY,
      outgoingAllow: reading.value,
      webhookKey,
    },
  );
}

/** Starts a receiver that answers as `answer` does, once the body has come. */
export async function startReceiver(answer: (response: ServerResponse, request: Received) => void): Promise<Receiver> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const { headers, url: path = "" } = request;
    const one = { atMs: Date.now(), path, headers, body: Buffer.concat(parts).toString() };
    received.push(one);
    answer(response, one);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    received,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Waits until something is so. Refuses: after 30 s. */
export async function until(isSo: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (const end = Date.now() + 30_000; Date.now() < end; ) {
    if (await isSo()) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`${what} did not happen within 30 s`);
}
