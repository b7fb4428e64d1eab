import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { test } from "node:test";
import { parseWebhookSecret } from "@dataspace/protocol/webhook-secret";
import { verifyWebhook } from "@dataspace/protocol/webhook-signature";
import { makeEvent } from "./support/events.ts";
import { startWorker, until } from "./support/real-delivery.ts";
import { type Person, startAwareness } from "./support/start-awareness.ts";

const DAY_MS = 86_400_000;

async function subscribe(t: TestContext) {
  const awareness = await startAwareness(t);
  const person = await awareness.createPerson();
  const made = await awareness.ask("/api/subscriptions", {
    body: { targetUrl: awareness.endpoint.url },
    credential: await person.token(),
  });
  const path = `/api/subscriptions/${made.body.id}/rotate-secret`;
  const rotate = async (wanted?: unknown, who: Person = person) =>
    awareness.ask(path, { method: "POST", body: wanted, credential: await who.token() });
  return { awareness, first: made.body.secret as string, rotate };
}

/** Which of the secrets an endpoint that knows one of them would take a webhook by. */
async function takenBy(webhook: { readonly headers: unknown; readonly body: string }, secrets: readonly string[]) {
  const taken: string[] = [];
  for (const secret of secrets) {
    const trust = { secrets: [parseWebhookSecret(secret)], publicKeys: [] };
    const given = { headers: webhook.headers as never, body: webhook.body, nowSeconds: Date.now() / 1000 };
    const isTaken = await verifyWebhook({ ...given, ...trust }).then(
      () => true,
      () => false,
    );
    if (isTaken) taken.push(secret);
  }
  return taken;
}

test("a new secret signs beside the previous one for a day by default, and is shown once [decision E3]", async (t) => {
  const { awareness, first, rotate } = await subscribe(t);
  const before = Date.now();
  const { status, headers, body } = await rotate();
  assert.deepEqual([status, headers.get("cache-control")], [200, "no-store"]);
  assert.deepEqual(Object.keys(body).sort(), ["previousValidUntil", "secret"]);
  const graceMs = Date.parse(body.previousValidUntil) - before;
  assert.ok(graceMs >= DAY_MS && graceMs < DAY_MS + 60_000, `${graceMs} ms`);
  await using _worker = startWorker(awareness.database);
  await awareness.ingest(makeEvent());
  await until(() => awareness.endpoint.received.length === 2, "a delivery");
  assert.deepEqual(await takenBy(awareness.endpoint.received[1]!, [first, body.secret]), [first, body.secret]);
});

test("without grace the new secret is the only one at once, and it may be one's own [decision E3]", async (t) => {
  const { awareness, first, rotate } = await subscribe(t);
  const second = (await rotate()).body.secret;
  const own = `whsec_${Buffer.alloc(24, 9).toString("base64")}`;
  assert.equal((await rotate({ secret: own, graceSeconds: 0 })).body.secret, own);
  await using _worker = startWorker(awareness.database);
  await awareness.ingest(makeEvent());
  await until(() => awareness.endpoint.received.length === 2, "a delivery");
  assert.deepEqual(await takenBy(awareness.endpoint.received[1]!, [first, second, own]), [own]);
});

test("at most five secrets are valid at once; then the current one stays as it was [decision E3]", async (t) => {
  const { awareness, rotate } = await subscribe(t);
  const made = await Promise.all([rotate(), rotate(), rotate(), rotate()]);
  assert.deepEqual(
    made.map(({ status }) => status),
    [200, 200, 200, 200],
  );
  const refused = await rotate();
  assert.deepEqual([refused.status, refused.code], [409, "TOO_MANY"]);
  const text = "select count(*)::int as n from subscription_secret where not_after is null";
  assert.deepEqual((await awareness.database.query({ text, values: [] })).rows, [{ n: 1 }]);
  assert.equal((await rotate({ graceSeconds: 0 })).status, 200);
});

test("a secret is replaced by its consumer alone, within the bounds of the grace [decisions E3, E9]", async (t) => {
  const { awareness, rotate } = await subscribe(t);
  const foreign = await rotate({}, await awareness.createPerson());
  assert.deepEqual([foreign.status, foreign.code], [404, "NOT_FOUND"]);
  for (const wanted of [
    { graceSeconds: -1 },
    { graceSeconds: 604_801 },
    { graceSeconds: "1" },
    { secret: "x" },
    { a: 1 },
    [],
  ]) {
    const { status, code } = await rotate(wanted);
    assert.deepEqual([status, code], [400, "BAD_REQUEST"], JSON.stringify(wanted));
  }
});
