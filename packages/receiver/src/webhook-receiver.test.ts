import assert from "node:assert/strict";
import { test } from "node:test";
import { createMemoryWebhookStore } from "./memory-webhook-store.ts";
import { createTestSender, makeChallenge, makeEvent, type TestDelivery, type TestSender } from "./test-sender.ts";
import type { WebhookEvent } from "./webhook-event.ts";
import { createWebhookReceiver } from "./webhook-receiver.ts";
import type { WebhookTrustConfig } from "./webhook-trust.ts";

const TARGET = "http://localhost/api/webhook";
const NOW_MS = 1_795_000_000_500;

interface Setup {
  readonly sender: TestSender;
  readonly applied: WebhookEvent[];
  readonly errors: unknown[];
  readonly post: (delivery: TestDelivery) => Promise<readonly [number, unknown]>;
  readonly send: (...args: Parameters<TestSender["sign"]>) => Promise<readonly [number, unknown]>;
}

async function setup(
  more: Partial<WebhookTrustConfig> & { onEvent?: (event: WebhookEvent) => void } = {},
): Promise<Setup> {
  const clock = { nowMs: () => NOW_MS };
  const sender = await createTestSender(clock.nowMs);
  const [applied, errors]: [WebhookEvent[], unknown[]] = [[], []];
  const receive = createWebhookReceiver(
    {
      secrets: [sender.secret],
      store: createMemoryWebhookStore(),
      onEvent: (event) => void applied.push(event),
      onError: (error) => void errors.push(error),
      ...more,
    },
    { clock, fetch: () => assert.fail("nobody is to be asked") },
  );
  const post: Setup["post"] = async (delivery) => {
    const response = await receive(new Request(TARGET, delivery));
    const body = (await response.json()) as { status?: unknown; error?: { code: unknown } };
    return [response.status, body.status ?? body.error?.code];
  };
  return { sender, applied, errors, post, send: async (...args) => post(await sender.sign(...args)) };
}

test("an event is verified, read into its nine fields and applied [S1 Webhook payload] [V-WH-001] [V-WH-002] [V-WH-003] [V-WH-004] [V-WH-005] [V-WH-006] [V-WH-007] [V-WH-008] [V-WH-009] [V-WH-010]", async () => {
  const { applied, send } = await setup();
  const event = makeEvent();
  assert.deepEqual(await send({ ...event, more: 1 }), [200, "applied"]);
  assert.deepEqual(applied, [event]);
  for (const fields of [{ operation: "create" }, { operation: "delete", data: {} }, { vaultPublicKey: null }]) {
    assert.deepEqual(await send(makeEvent(fields)), [200, "applied"], JSON.stringify(fields));
  }
});

test("a repeated delivery is answered 200 and not applied again, an older version neither [S1 Delivery rules]", async () => {
  const { sender, applied, post, send } = await setup();
  const second = makeEvent({ streamVersion: 2 });
  const delivery = await sender.sign(second);
  assert.deepEqual(await post(delivery), [200, "applied"]);
  assert.deepEqual(await post(delivery), [200, "duplicate"], "the very same bytes, replayed");
  assert.deepEqual(
    await send(second, { atSeconds: NOW_MS / 1000 - 299.5 }),
    [200, "duplicate"],
    "signed at another attempt",
  );
  assert.deepEqual(await send({ ...second, eventId: crypto.randomUUID(), streamVersion: 1 }), [200, "stale"]);
  assert.deepEqual(await send({ ...second, eventId: crypto.randomUUID() }), [200, "stale"]);
  assert.deepEqual(await send({ ...second, eventId: crypto.randomUUID(), streamVersion: 4 }), [200, "applied"]);
  const elsewhere = { ...second, eventId: crypto.randomUUID(), dsid: "@00000000-0000-4000-8000-000000000000" };
  assert.deepEqual(await send(elsewhere), [200, "applied"], "the same id in another vault is another record");
  assert.deepEqual(
    applied.map(({ streamVersion }) => streamVersion),
    [2, 4, 2],
  );
});

test("a webhook that does not verify is answered 401 and never read [decision E3]", async () => {
  const { sender, applied, errors, post } = await setup();
  const stranger = await createTestSender(() => NOW_MS);
  const good = await sender.sign(makeEvent());
  const notJson = await sender.sign(new TextEncoder().encode("not json"));
  const withHeader = (name: string, value?: string): TestDelivery => {
    const { [name]: _old, ...headers } = good.headers;
    return { ...good, headers: value === undefined ? headers : { ...headers, [name]: value } };
  };
  const bad: Record<string, TestDelivery> = {
    stranger: await stranger.sign(makeEvent()),
    "signed by a key only": await sender.sign(makeEvent(), { by: "key" }),
    "changed body": { ...good, body: good.body.map((byte, at) => (at === 60 ? byte ^ 1 : byte)) },
    "changed and no JSON": { ...notJson, body: notJson.body.slice(1) },
    "no id": withHeader("webhook-id"),
    "another id": withHeader("webhook-id", crypto.randomUUID()),
    "no timestamp": withHeader("webhook-timestamp"),
    "no signature": withHeader("webhook-signature"),
    "too old": await sender.sign(makeEvent(), { atSeconds: NOW_MS / 1000 - 301.5 }),
    "too new": await sender.sign(makeEvent(), { atSeconds: NOW_MS / 1000 + 300.5 }),
    "challenge of a stranger": await stranger.sign(makeChallenge()),
  };
  for (const [name, delivery] of Object.entries(bad)) {
    assert.deepEqual(await post(delivery), [401, "INVALID_SIGNATURE"], name);
  }
  assert.deepEqual([applied, errors], [[], []]);
  assert.deepEqual(await post(good), [200, "applied"]);
});

test("each of several secrets is accepted, so that one can replace another [decision E9]", async () => {
  const [first, second] = [await createTestSender(() => NOW_MS), await createTestSender(() => NOW_MS)];
  const { post } = await setup({ secrets: [first.secret, second.secret] });
  assert.deepEqual(await post(await first.sign(makeEvent(), { by: "secret" })), [200, "applied"]);
  assert.deepEqual(await post(await second.sign(makeEvent(), { by: "secret" })), [200, "applied"]);
});

test("a signed body that is not an event is answered 400 with the field at fault", async () => {
  const { applied, send } = await setup();
  const { vaultPublicKey: _none, ...without } = makeEvent();
  const bad = [
    without,
    ...[{ eventId: "1" }, { id: "" }, { dsid: "e4d909c2" }, { schemaId: 1 }, { data: [] }, { data: null }],
    ...[{ vaultPublicKey: "x" }, { operation: "erase" }, { streamVersion: 0 }, { streamVersion: 1.5 }],
    ...[{ streamVersion: "1" }, { occurredAt: "yesterday" }, { occurredAt: "2026-13-01T00:00:00Z" }, { id: undefined }],
  ];
  for (const fields of bad) {
    const event = fields === without ? without : makeEvent(fields);
    assert.deepEqual(await send(event), [400, "INVALID_EVENT"], JSON.stringify(fields));
  }
  for (const text of ["", "[]", "null", "{", '"event"']) {
    assert.deepEqual(await send(new TextEncoder().encode(text)), [400, "INVALID_EVENT"], text);
  }
  assert.deepEqual(await send(Uint8Array.of(0x7b, 0xff, 0x7d)), [400, "INVALID_EVENT"]);
  assert.deepEqual(applied, []);
});

test("when the handler fails the answer is 500, and the event is applied when it is sent again [S1 Delivery rules]", async () => {
  let failures = 2;
  const seen: string[] = [];
  const { sender, errors, post } = await setup({
    onEvent: ({ eventId }) => {
      seen.push(eventId);
      if (failures-- > 0) throw new Error("the disk is full");
    },
  });
  const delivery = await sender.sign(makeEvent());
  assert.deepEqual(await post(delivery), [500, "NOT_APPLIED"]);
  assert.deepEqual(await post(delivery), [500, "NOT_APPLIED"]);
  assert.deepEqual(await post(delivery), [200, "applied"]);
  assert.deepEqual(await post(delivery), [200, "duplicate"]);
  assert.equal(seen.length, 3);
  assert.deepEqual(
    errors.map((error) => (error as Error).message),
    ["the disk is full", "the disk is full"],
  );
});

test("a webhook of 2 MiB is accepted, one byte more is not, and no more than that is read [decision P9] [V-DEC-013]", async () => {
  const { sender, applied, post } = await setup();
  const limit = 2_097_152;
  const withSize = (bytes: number) => {
    const event = makeEvent({ data: { text: "" } });
    const rest = new TextEncoder().encode(JSON.stringify(event)).length;
    return sender.sign({ ...event, data: { text: "x".repeat(bytes - rest) } });
  };
  const largest = await withSize(limit);
  assert.equal(largest.body.length, limit);
  assert.deepEqual(await post(largest), [200, "applied"]);
  assert.deepEqual(await post(await withSize(limit + 1)), [413, "PAYLOAD_TOO_LARGE"]);
  let pulledBytes = 0;
  const endless = new ReadableStream({
    pull: (controller) => {
      pulledBytes += 65_536;
      controller.enqueue(new Uint8Array(65_536));
    },
  });
  const receive = createWebhookReceiver({
    secrets: [sender.secret],
    store: createMemoryWebhookStore(),
    onEvent: () => assert.fail(),
    onError: () => assert.fail(),
  });
  const request = new Request(TARGET, { method: "POST", body: endless, duplex: "half" });
  assert.equal((await receive(request)).status, 413);
  assert.ok(pulledBytes <= limit + 4 * 65_536, String(pulledBytes));
  assert.equal(applied.length, 1);
});

test("a challenge is answered 200 by secret and reaches no handler, also twice [decision E9]", async () => {
  const { applied, send } = await setup();
  assert.deepEqual(await send(makeChallenge(), { by: "secret" }), [200, "challenge"]);
  assert.deepEqual(await send(makeChallenge(), { by: "secret" }), [200, "challenge"]);
  assert.deepEqual(applied, []);
});

test("anything but POST is answered 405, a body that was already read 500, one that is cut off 400", async () => {
  const { sender, errors } = await setup();
  const onError = (error: unknown) => void errors.push(error);
  const store = createMemoryWebhookStore();
  const receive = createWebhookReceiver({ secrets: [sender.secret], store, onEvent: () => {}, onError });
  const get = await receive(new Request(TARGET));
  assert.deepEqual([get.status, get.headers.get("allow")], [405, "POST"]);
  const used = new Request(TARGET, await sender.sign(makeEvent()));
  await used.json();
  assert.equal((await receive(used)).status, 500);
  assert.deepEqual(
    errors.map((error) => (error as { code: unknown }).code),
    ["BODY_ALREADY_READ"],
  );
  const body = new ReadableStream({ pull: (controller) => controller.error(new Error("broken off")) });
  assert.equal((await receive(new Request(TARGET, { method: "POST", body, duplex: "half" }))).status, 400);
});

test("a receiver that trusts no sender does not start, unless it is configured to accept everything", async () => {
  const refused = async (config: WebhookTrustConfig, code: string) => {
    await assert.rejects(setup({ secrets: [], ...config }), { code }, JSON.stringify(config));
  };
  await refused({}, "NOTHING_TRUSTED");
  await refused({ insecure: false }, "NOTHING_TRUSTED");
  await refused({ secrets: [undefined] }, "INVALID_WEBHOOK_SECRET");
  await refused({ secrets: [""] }, "INVALID_WEBHOOK_SECRET");
  await refused({ secrets: ["whsec_c2hvcnQ="] }, "INVALID_WEBHOOK_SECRET");
  await refused({ awarenessUrl: "" }, "INVALID_AWARENESS_URL");
  await refused({ awarenessUrl: "ftp://awareness.example" }, "INVALID_AWARENESS_URL");
  const targetUrl = "https://platform.example/api/webhook";
  await refused({ awarenessUrl: "https://awareness.example", targetUrl, insecure: true }, "INSECURE_AND_TRUST");
  const { post, sender } = await setup({ secrets: [], insecure: true });
  const { body } = await sender.sign(makeEvent());
  assert.deepEqual(await post({ method: "POST", headers: {}, body }), [200, "applied"]);
});
