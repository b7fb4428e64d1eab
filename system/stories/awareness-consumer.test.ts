import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { parseWebhookSecret } from "@dataspace/protocol/webhook-secret";
import { verifyWebhook } from "@dataspace/protocol/webhook-signature";
import { systemClock } from "@dataspace/service-kit/clock";
import { issueWalletToken } from "@dataspace/wallet/issue-wallet-token";
import { createWalletKey } from "@dataspace/wallet/wallet-key";
import { createOwner } from "../create-owner.ts";
import { startTestSpace } from "./support/start-test-space.ts";

interface Received {
  readonly headers: Record<string, string>;
  readonly body: string;
}

test("a wallet subscribes with a token for the awareness service, which the registry and the owner's vault certify, and receives what it may read [V-SVC-016] [V-EVT-010] [V-EVT-290]", async () => {
  await using space = await startTestSpace();
  const { awarenessUrl } = space;
  const received: Received[] = [];
  const waiting = Promise.withResolvers<void>();
  const endpoint = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const body = Buffer.concat(parts).toString();
    received.push({ headers: request.headers as Record<string, string>, body });
    response.writeHead(200).end();
    if (received.length === 2) waiting.resolve();
  });
  await new Promise<void>((listening) => endpoint.listen(0, "127.0.0.1", listening));
  try {
    const key = await createWalletKey();
    const ename = await createOwner(space, key.publicKey);
    const token = await issueWalletToken({ key, clock: systemClock }, { ename, audience: awarenessUrl });
    const post = async (path: string, credential: string, body: object) => {
      const headers = { "content-type": "application/json", authorization: `Bearer ${credential}` };
      const response = await fetch(awarenessUrl + path, { method: "POST", headers, body: JSON.stringify(body) });
      return { status: response.status, body: (await response.json()) as Record<string, string> };
    };
    const targetUrl = `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/hook`;
    const made = await post("/api/subscriptions", token, { targetUrl });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    const stranger = await createWalletKey();
    const forged = await issueWalletToken({ key: stranger, clock: systemClock }, { ename, audience: awarenessUrl });
    assert.equal((await post("/api/subscriptions", forged, { targetUrl })).status, 401);

    const webhook = (schemaId: string) =>
      JSON.stringify({
        eventId: randomUUID(),
        id: randomUUID(),
        dsid: `@${randomUUID()}`,
        schemaId,
        data: {},
        vaultPublicKey: null,
        operation: "create",
        streamVersion: 1,
        occurredAt: new Date().toISOString(),
      });
    const event = (schemaId: string, acl: readonly string[]) => ({
      body: webhook(schemaId),
      requestingPlatform: null,
      policy: { acl, _acl: null, owner: null },
    });
    const ingestSecret = space.settings["DS_INGEST_SECRET"] ?? "";
    await post("/ingest", ingestSecret, event("hidden", []));
    const sent = event("sent", [ename]);
    assert.equal((await post("/ingest", ingestSecret, sent)).status, 200);
    await waiting.promise;
    const [challenge, delivered] = received;
    assert.equal(challenge?.headers["webhook-type"], "challenge");
    assert.equal(delivered?.body, sent.body);
    const secrets = [parseWebhookSecret(made.body["secret"] ?? "")];
    const { headers = {}, body = "" } = delivered ?? {};
    const message = { headers: headers as never, body, nowSeconds: Date.now() / 1000 };
    assert.equal(await verifyWebhook({ ...message, secrets, publicKeys: [] }), "v1");
  } finally {
    endpoint.closeAllConnections();
    endpoint.close();
  }
});
