import assert from "node:assert/strict";
import { request } from "node:http";
import { json } from "node:stream/consumers";
import { type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { startAwareness, type TestAwareness } from "./support/start-awareness.ts";

const SUBSCRIPTIONS = "/api/subscriptions";
const KEYS = "/api/me/api-keys";

/** A request whose headers are sent and whose body is still held back; `answered` may settle before the body is sent. */
async function holdBack(t: TestContext, { url }: TestAwareness, [path, credential]: readonly [string, string]) {
  const headers = {
    "content-type": "application/json",
    "transfer-encoding": "chunked",
    authorization: `Bearer ${credential}`,
  };
  const sent = request(url + path, { method: "POST", headers });
  t.after(() => sent.destroy());
  const answered = new Promise<string>((resolve, reject) => {
    sent.once("error", reject);
    sent.once("response", async (response) => {
      const { error } = (await json(response)) as { error?: { code: string } };
      resolve(`${response.statusCode} ${error?.code}`);
    });
  });
  sent.flushHeaders();
  await sleep(200);
  return { answered, finish: (body: object) => void sent.end(JSON.stringify(body)) };
}

async function countRows({ database }: TestAwareness, table: string): Promise<number> {
  return (await database.query({ text: `select 1 from ${table}`, values: [] })).rows.length;
}

test("a credential that does not hold is refused before the body has arrived [decision V26]", async (t) => {
  const awareness = await startAwareness(t);
  const held = await holdBack(t, awareness, [SUBSCRIPTIONS, "dsk_nobody"]);
  assert.equal(await held.answered, "401 INVALID_TOKEN");
});

test("an API key that is revoked, or a wallet token that expires, while the body is held back writes nothing: 401 [decision V26]", async (t) => {
  let aheadMs = 0;
  const awareness = await startAwareness(t, { nowMs: () => Date.now() + aheadMs });
  const person = await awareness.createPerson();
  const made = await awareness.ask(KEYS, { body: { label: "server" }, credential: await person.token() });
  const byKey = await holdBack(t, awareness, [SUBSCRIPTIONS, made.body.key]);
  const byToken = await holdBack(t, awareness, [KEYS, await person.token()]);
  const revoking = { method: "DELETE", credential: await person.token() };
  assert.equal((await awareness.ask(`${KEYS}/${made.body.id}`, revoking)).status, 204);
  byKey.finish({ targetUrl: awareness.endpoint.url });
  assert.equal(await byKey.answered, "401 INVALID_TOKEN");
  aheadMs = 20 * 60_000;
  byToken.finish({ label: "late" });
  assert.equal(await byToken.answered, "401 INVALID_TOKEN");
  assert.deepEqual([await countRows(awareness, "subscription"), await countRows(awareness, "api_key")], [0, 1]);
});

test("a body that is held back by a consumer whose credential still holds is taken [decision V26]", async (t) => {
  const awareness = await startAwareness(t);
  const person = await awareness.createPerson();
  const held = await holdBack(t, awareness, [SUBSCRIPTIONS, await person.token()]);
  held.finish({ targetUrl: awareness.endpoint.url });
  assert.equal(await held.answered, "201 undefined");
});
