import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { createMemoryWebhookStore } from "@dataspace/receiver/memory-webhook-store";
import { nodeWebhook } from "@dataspace/receiver/node-http";
import { createWebhookReceiver } from "@dataspace/receiver/webhook-receiver";
import { createWalletKey } from "@dataspace/wallet/wallet-key";
import { createOwner } from "../create-owner.ts";
import { startTestSpace } from "./support/start-test-space.ts";

test("a write at the vault reaches a subscribed platform as signed webhooks, in the order of its versions, once each [V-SVC-013] [V-SVC-014] [V-SVC-015] [V-SVC-016] [V-EVT-006] [V-EVT-008] [V-EVT-010] [V-DLV-007]", async () => {
  await using space = await startTestSpace();
  const owner = await createOwner(space, (await createWalletKey()).publicKey);
  const received: { readonly operation: string; readonly streamVersion: number; readonly data: unknown }[] = [];
  const three = Promise.withResolvers<void>();
  const endpoint = createServer();
  await new Promise<void>((listening) => endpoint.listen(0, "127.0.0.1", listening));
  const targetUrl = `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/api/webhook`;
  const receive = createWebhookReceiver({
    awarenessUrl: space.awarenessUrl,
    targetUrl,
    store: createMemoryWebhookStore(),
    onEvent: ({ operation, streamVersion, data }) => {
      received.push({ operation, streamVersion, data });
      if (received.length === 3) three.resolve();
    },
    onError: (error) => three.reject(error),
  });
  endpoint.on("request", nodeWebhook(receive));
  try {
    const send = async (url: string, headers: object, body: object) => {
      const type = { "content-type": "application/json" };
      const response = await fetch(url, {
        method: "POST",
        headers: { ...type, ...headers },
        body: JSON.stringify(body),
      });
      return { status: response.status, body: (await response.json()) as never };
    };
    const made = await send(`${space.awarenessUrl}/api/subscriptions`, {}, { targetUrl, vaultFilter: [owner] });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    const write = async (query: string) =>
      (
        (await send(`${space.vaultUrl}/graphql`, { "x-ename": owner }, { query })).body as {
          data: Record<string, unknown>;
        }
      ).data;
    const input = (payload: string) => `{ ontology: "note", payload: ${payload}, acl: ["*"] }`;
    const created = await write(
      `mutation { createMetaEnvelope(input: ${input("{ n: 1 }")}) { metaEnvelope { id } errors { code } } }`,
    );
    const { id } = (created["createMetaEnvelope"] as { metaEnvelope: { id: string } }).metaEnvelope;
    await write(`mutation { updateMetaEnvelope(id: "${id}", input: ${input("{ m: 2 }")}) { errors { code } } }`);
    await write(`mutation { removeMetaEnvelope(id: "${id}") { success } }`);
    await three.promise;
    assert.deepEqual(received, [
      { operation: "create", streamVersion: 1, data: { n: 1 } },
      { operation: "update", streamVersion: 2, data: { n: 1, m: 2 } },
      { operation: "delete", streamVersion: 3, data: {} },
    ]);
  } finally {
    endpoint.closeAllConnections();
    await new Promise((closed) => endpoint.close(closed));
  }
});
