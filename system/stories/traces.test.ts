import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { createMemoryWebhookStore } from "@dataspace/receiver/memory-webhook-store";
import { nodeWebhook } from "@dataspace/receiver/node-http";
import { createWebhookReceiver } from "@dataspace/receiver/webhook-receiver";
import { type ReceivedSpan, startTestCollector } from "@dataspace/service-kit/testing/test-collector";
import { createWalletKey } from "@dataspace/wallet/wallet-key";
import { createOwner } from "../create-owner.ts";
import { startTestSpace } from "./support/start-test-space.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const CALLER = "00f067aa0ba902b7";
const CANARY = "canary_5f20324c";
const MUTATION = `mutation ${CANARY}_name ($input: MetaEnvelopeInput!) {
  ${CANARY}_alias: createMetaEnvelope(input: $input) { metaEnvelope { id } errors { code } } }`;

test("one trace leads from the caller's mutation to the webhook, its spans hold nothing of the request, and a collector that hangs fails no request", async () => {
  await using collector = await startTestCollector();
  await using space = await startTestSpace({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
  const owner = await createOwner(space, (await createWalletKey()).publicKey);
  await using receiver = await startReceiver(space.awarenessUrl);
  const body = { targetUrl: receiver.url, vaultFilter: [owner] };
  const { secret } = await send<{ readonly secret: string }>(`${space.awarenessUrl}/api/subscriptions`, {}, body);
  const write = (headers: object) =>
    send<{ readonly errors?: unknown }>(
      `${space.vaultUrl}/graphql`,
      { "x-ename": owner, ...headers },
      {
        query: MUTATION,
        variables: { input: { ontology: "note", payload: { text: `${CANARY} payload` }, acl: ["*"] } },
      },
    );

  await write({ traceparent: `00-${TRACE}-${CALLER}-01` });
  const header = await receiver.applied();
  const delivered = await collector.until(({ spanId }) => header.includes(spanId));
  // The vault's two threads and the awareness service export on their own.
  for (const name of ["POST /graphql", "send event", "ingest event"]) {
    await collector.until((span) => span.traceId === TRACE && span.name === name);
  }
  const mine = collector.spans().filter(({ traceId }) => traceId === TRACE);
  assert.deepEqual(pathTo(delivered, mine), [
    "vault: POST /graphql",
    "vault: mutation createMetaEnvelope",
    "vault: commit",
    "vault: send event",
    "awareness: ingest event",
    "awareness: deliver webhook",
  ]);
  assert.equal(mine.find(({ name }) => name === "POST /graphql")?.parentSpanId, CALLER);
  assert.equal(header, `00-${TRACE}-${delivered.spanId}-01`);

  for (const hidden of [CANARY, owner, owner.slice(1), secret, receiver.url]) {
    assert.ok(!collector.text().includes(hidden), `${hidden} is in the spans`);
  }

  collector.hang();
  const answers = await Promise.all(Array.from({ length: 50 }, () => write({})));
  assert.deepEqual(
    answers.filter(({ errors }) => errors !== undefined),
    [],
  );
});

/** The names from the root of a trace to a span. */
function pathTo(span: ReceivedSpan, spans: readonly ReceivedSpan[]): readonly string[] {
  const parent = spans.find(({ spanId }) => spanId === span.parentSpanId);
  return [...(parent === undefined ? [] : pathTo(parent, spans)), `${span.service}: ${span.name}`];
}

/** A receiver that verifies webhooks; `applied` gives the `traceparent` of the first. */
async function startReceiver(awarenessUrl: string) {
  const endpoint = createServer();
  await new Promise<void>((listening) => endpoint.listen(0, "127.0.0.1", listening));
  const url = `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/api/webhook`;
  const applied = Promise.withResolvers<string>();
  let traceparent: unknown;
  const receive = createWebhookReceiver({
    awarenessUrl,
    targetUrl: url,
    store: createMemoryWebhookStore(),
    onEvent: () => applied.resolve(String(traceparent)),
    onError: (error) => applied.reject(error),
  });
  endpoint.on("request", (request) => {
    if (request.headers["webhook-type"] === undefined) traceparent ??= request.headers["traceparent"];
  });
  endpoint.on("request", nodeWebhook(receive));
  return {
    url,
    applied: () => applied.promise,
    [Symbol.asyncDispose]: async () => {
      endpoint.closeAllConnections();
      await new Promise((closed) => endpoint.close(closed));
    },
  };
}

async function send<Answer>(url: string, headers: object, body: object): Promise<Answer> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  assert.ok(response.ok, `${url} answered ${response.status}`);
  return (await response.json()) as Answer;
}
