import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { test } from "node:test";
import { decodePublicKey } from "@dataspace/protocol/public-key";
import { isBoundBy } from "@dataspace/protocol/webhook-binding";
import { parseWebhookSecret } from "@dataspace/protocol/webhook-secret";
import { verifyWebhook } from "@dataspace/protocol/webhook-signature";
import { Validator } from "@seriousme/openapi-schema-validator";
import type { PathItem } from "@dataspace/api-reference/open-api";
import { EXAMPLE_EVENT, EXAMPLE_KEY, EXAMPLE_SECRET, EXAMPLE_SUBSCRIPTION } from "../src/reference/examples.ts";
import { assertConforms, DOCUMENT } from "./support/documented.ts";
import { makeEvent } from "./support/events.ts";
import { startReceiver, startWorker, until } from "./support/real-delivery.ts";
import { startAwareness } from "./support/start-awareness.ts";
import type { FastifyInstance } from "fastify";

test("the document is served under the service's own origin, and is valid OpenAPI 3.1", async (t) => {
  const awareness = await startAwareness(t);
  const { status, headers, body } = await awareness.ask("/openapi.json");
  assert.deepEqual([status, headers.get("content-type")], [200, "application/json; charset=utf-8"]);
  assert.deepEqual(body, { ...DOCUMENT, servers: [{ url: awareness.url }] });
  const { valid, errors } = await new Validator().validate(body);
  assert.ok(valid, JSON.stringify(errors));
});

test("the document holds every route that is served, and no other", async (t) => {
  const served: string[] = [];
  const follow = (message: unknown): void => {
    // The first is the service's, the next its admin port's.
    unsubscribe("fastify.initialization", follow);
    const { fastify } = message as { readonly fastify: FastifyInstance };
    fastify.addHook("onRoute", ({ method, url }) => {
      for (const one of [method].flat()) served.push(`${one} ${url.replaceAll(/:(\w+)/g, "{$1}")}`);
    });
  };
  subscribe("fastify.initialization", follow);
  t.after(() => unsubscribe("fastify.initialization", follow));
  await startAwareness(t);
  const methodsOf = (items: Readonly<Record<string, PathItem>>) =>
    Object.entries(items).flatMap(([path, item]) => Object.keys(item).map((one) => `${one.toUpperCase()} ${path}`));
  // HEAD comes with every GET, OPTIONS /* are browsers' preflights, below /ui/ is what pages load, below /portal are pages.
  const noCall = /^GET \/$|^HEAD |^OPTIONS \/\*|^GET \/ui\/|^GET \/deeplink-login|^\w+ \/portal(?!\/callback)/;
  const listed = served.filter((route) => !noCall.test(route));
  assert.deepEqual(listed.sort(), methodsOf(DOCUMENT.paths).sort());
});

test("every example is one that its schema admits", () => {
  let examples = 0;
  const look = (value: unknown, at: readonly string[]): void => {
    if (typeof value !== "object" || value === null) return;
    if ("schema" in value && "example" in value) {
      assertConforms(value.example, [...at, "schema"], at.join(" "));
      examples += 1;
    }
    for (const [name, inner] of Object.entries(value)) if (name !== "example") look(inner, [...at, name]);
  };
  look(DOCUMENT, []);
  assert.ok(examples > 30, `${examples} examples`);
});

test("the examples of webhooks are signed over their bodies, by their subscription's secret and by the published key", async () => {
  const { kty, crv, x } = EXAMPLE_KEY as { kty: string; crv: string; x: string };
  const publicKey = await crypto.subtle.importKey("jwk", { kty, crv, x }, "Ed25519", true, ["verify"]);
  const secrets = [parseWebhookSecret(EXAMPLE_SECRET)];
  for (const name of ["event", "probe"]) {
    const { parameters = [], requestBody } = DOCUMENT.webhooks[name]!["post"]!;
    const headers = Object.fromEntries(parameters.map((one) => [one.name, one.example]));
    const webhook = {
      headers: headers as Record<"webhook-id" | "webhook-timestamp" | "webhook-signature", string>,
      body: JSON.stringify(requestBody?.content["application/json"]?.example),
      nowSeconds: Number(headers["webhook-timestamp"]),
    };
    assert.equal(await verifyWebhook({ ...webhook, secrets, publicKeys: [] }), "v1", name);
    assert.equal(await verifyWebhook({ ...webhook, secrets: [], publicKeys: [publicKey] }), "v1a", name);
    const binding = {
      id: String(headers["webhook-id"]),
      timestampSeconds: webhook.nowSeconds,
      subscriptionId: String(headers["webhook-subscription-id"]),
      targetUrl: String(EXAMPLE_SUBSCRIPTION["targetUrl"]),
      bodySha256: createHash("sha256").update(webhook.body).digest(),
    };
    assert.ok(await isBoundBy([publicKey], String(headers["webhook-binding"]), binding), name);
  }
  assert.doesNotThrow(() => decodePublicKey(String(EXAMPLE_EVENT["vaultPublicKey"])));
});

test("what subscribers are sent is as the document says: challenge, test, event, and the event asked for again", async (t) => {
  const receiver = await startReceiver((response) => response.writeHead(204).end());
  t.after(() => receiver[Symbol.asyncDispose]());
  const awareness = await startAwareness(t);
  const worker = startWorker(awareness.database);
  t.after(() => worker[Symbol.asyncDispose]());
  const person = await awareness.createPerson();
  const ask = async (path: string, options: { method?: string; body?: unknown } = {}) =>
    awareness.ask(path, { ...options, credential: await person.token() });
  const { body: subscription } = await ask("/api/subscriptions", { body: { targetUrl: receiver.url } });
  const path = `/api/subscriptions/${subscription.id}`;
  await ask(`${path}/test`, { method: "POST" });
  await awareness.ingest(makeEvent());
  await until(async () => (await ask(`${path}/attempts`)).body.attempts.length === 1, "one");
  await ask(`${path}/replay`, { body: { since: "2026-01-01T00:00:00Z" } });
  await until(() => receiver.received.length === 4, "four webhooks");
  for (const { headers, body } of receiver.received) {
    const name = headers["webhook-type"] === undefined ? "event" : "probe";
    const { parameters = [] } = DOCUMENT.webhooks[name]!["post"]!;
    const own = Object.keys(headers).filter((header) => header.startsWith("webhook-"));
    assert.deepEqual(
      own.filter((header) => !parameters.some((one) => one.name === header)),
      [],
    );
    for (const [index, parameter] of parameters.entries()) {
      if (headers[parameter.name] === undefined) assert.equal(parameter.required, false, parameter.name);
      else
        assertConforms(
          headers[parameter.name],
          ["webhooks", name, "post", "parameters", String(index), "schema"],
          parameter.name,
        );
    }
    const at = ["webhooks", name, "post", "requestBody", "content", "application/json", "schema"];
    assertConforms(JSON.parse(body), at, name);
  }
  assert.equal(receiver.received.at(-1)?.headers["webhook-replay"], "true");
});
