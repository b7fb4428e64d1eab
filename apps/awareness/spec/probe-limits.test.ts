import assert from "node:assert/strict";
import { test } from "node:test";
import { startAwareness } from "./support/start-awareness.ts";
import { startEndpoint } from "./support/start-endpoint.ts";

const PATH = "/api/subscriptions";

test("challenges and test webhooks are limited per consumer, with Retry-After, and a refusal sends nothing and spends no token [decision V21]", async (t) => {
  let nowMs = Date.now();
  const awareness = await startAwareness(t, { probesPerMinute: 3, nowMs: () => nowMs });
  const { endpoint } = awareness;
  const person = await awareness.createPerson();
  const ask = async (path: string, body?: object) =>
    awareness.ask(path, { method: "POST", body, credential: await person.token() });
  const { body: made } = await ask(PATH, { targetUrl: endpoint.url });
  assert.equal((await ask(`${PATH}/${made.id}/test`)).status, 200);
  endpoint.status = 500;
  assert.equal((await ask(PATH, { targetUrl: endpoint.url })).code, "TARGET_UNVERIFIED");
  const credential = await person.token();
  const writes = [
    [PATH, "POST", { targetUrl: endpoint.url }],
    [`${PATH}/${made.id}`, "PATCH", { targetUrl: `${endpoint.url}/next` }],
    [`${PATH}/${made.id}/test`, "POST", undefined],
  ] as const;
  for (const [path, method, body] of writes) {
    const refused = await awareness.ask(path, { method, body, credential });
    assert.deepEqual([refused.status, refused.code, refused.headers.get("retry-after")], [429, "RATE_LIMITED", "20"]);
  }
  assert.equal(endpoint.received.length, 3);
  nowMs += 20_000;
  const sent = await awareness.ask(`${PATH}/${made.id}/test`, { method: "POST", credential });
  assert.deepEqual([sent.status, sent.body.status], [200, 500]);
  assert.equal((await ask(`${PATH}/${made.id}/test`)).code, "RATE_LIMITED");
});

test("challenges to one host are limited across consumers, and one consumer takes at most a quarter of them [decision V25]", async (t) => {
  const awareness = await startAwareness(t, { probesPerMinute: 2, addresses: { "other.test": ["127.0.0.1"] } });
  const subscribe = async (targetUrl: string) => {
    const credential = await (await awareness.createPerson()).token();
    const { body } = await awareness.ask("/api/me/api-keys", { body: { label: "k" }, credential });
    const add = () => awareness.ask(PATH, { body: { targetUrl }, credential: body.key });
    return (await Promise.all([add(), add(), add()])).map(({ status }) => status).toSorted();
  };
  for (let consumer = 0; consumer < 4; consumer += 1) {
    assert.deepEqual(await subscribe(awareness.endpoint.url), [201, 201, 429]);
  }
  const samePlace = (await startEndpoint(t)).url;
  assert.deepEqual(await subscribe(samePlace), [429, 429, 429], "the port is no other host");
  assert.deepEqual(await subscribe(awareness.endpoint.url.replace("127.0.0.1", "other.test")), [201, 201, 429]);
});

test("a spent wallet token is refused before a challenge is sent [decision I6]", async (t) => {
  const awareness = await startAwareness(t);
  const person = await awareness.createPerson();
  const credential = await person.token();
  const add = () => awareness.ask(PATH, { body: { targetUrl: awareness.endpoint.url }, credential });
  const { body: made } = await add();
  assert.equal((await add()).code, "TOKEN_SPENT");
  const body = { targetUrl: `${awareness.endpoint.url}/next` };
  assert.equal((await awareness.ask(`${PATH}/${made.id}`, { method: "PATCH", body, credential })).code, "TOKEN_SPENT");
  assert.equal(awareness.endpoint.received.length, 1);
});
