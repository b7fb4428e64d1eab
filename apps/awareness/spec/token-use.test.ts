import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { spentConsumerTokens } from "../src/store/spent-token-rows.ts";
import { until } from "./support/real-delivery.ts";
import { type AskOptions, type Person, startAwareness, type TestAwareness } from "./support/start-awareness.ts";

const SUBSCRIPTIONS = "/api/subscriptions";
const KEYS = "/api/me/api-keys";
const UNKNOWN = "11111111-1111-4111-8111-111111111111";

/** A writing request: its address and how it is asked. */
type Write = readonly [string, AskOptions];

/** An operator who has a subscription and an API key. */
async function startWithOperator(t: TestContext) {
  const admins = new Set<Person["ename"]>();
  const awareness = await startAwareness(t, { admins });
  const person = await awareness.createPerson();
  admins.add(person.ename);
  const target = { targetUrl: awareness.endpoint.url };
  const { body: subscription } = await ask(awareness, [SUBSCRIPTIONS, { body: target }], await person.token());
  const { body: apiKey } = await ask(awareness, [KEYS, { body: { label: "server" } }], await person.token());
  const [one, platform] = [`${SUBSCRIPTIONS}/${subscription.id}`, `/api/platforms/${person.ename}`];
  const writes: readonly Write[] = [
    [SUBSCRIPTIONS, { body: target }],
    [one, { method: "PATCH", body: { active: true } }],
    [`${one}/test`, { method: "POST" }],
    [`${one}/redrive`, { body: {} }],
    [`${one}/replay`, { body: { since: "2026-01-31T12:00:00Z" } }],
    [KEYS, { body: { label: "another" } }],
    [platform, { method: "PUT", body: {} }],
    [platform, { method: "DELETE" }],
    [`${KEYS}/${apiKey.id}`, { method: "DELETE" }],
    [one, { method: "DELETE" }],
  ];
  return { awareness, person, apiKey: apiKey.key as string, one, writes };
}

function ask(awareness: TestAwareness, [path, options]: Write, credential: string) {
  return awareness.ask(path, { ...options, credential });
}

function nameOf([path, { method = "POST" }]: Write): string {
  return `${method} ${path}`;
}

test("a wallet token serves any number of reads and one writing request, whichever comes next [V-DEC-234] [V-DEC-236] [V-DEC-238]", async (t) => {
  const { awareness, person, writes } = await startWithOperator(t);
  for (const write of writes) {
    const token = await person.token();
    assert.equal((await ask(awareness, [SUBSCRIPTIONS, {}], token)).status, 200);
    const { status } = await ask(awareness, write, token);
    assert.ok(status >= 200 && status < 300, `${nameOf(write)} ${status}`);
    for (const next of [write, writes[5] as Write]) {
      const refused = await ask(awareness, next, token);
      assert.deepEqual([refused.status, refused.code], [401, "TOKEN_SPENT"], `${nameOf(write)}, ${nameOf(next)}`);
    }
    assert.equal((await ask(awareness, [SUBSCRIPTIONS, {}], token)).status, 200);
  }
  const keys = await ask(awareness, [KEYS, {}], await person.token());
  assert.equal(keys.body.apiKeys.length, 1, "what was refused was not done");
});

test("a write that is refused, and a replay that is only counted, leave the token as it was [V-DEC-237]", async (t) => {
  const { awareness, person, one } = await startWithOperator(t);
  const token = await person.token();
  const refusals: readonly (readonly [Write, string])[] = [
    [[SUBSCRIPTIONS, { body: { targetUrl: "http://127.0.0.1:9/" } }], "TARGET_UNVERIFIED"],
    [[SUBSCRIPTIONS, { body: {} }], "BAD_REQUEST"],
    [[`${SUBSCRIPTIONS}/${UNKNOWN}`, { method: "PATCH", body: {} }], "NOT_FOUND"],
    [[`${SUBSCRIPTIONS}/${UNKNOWN}`, { method: "DELETE" }], "NOT_FOUND"],
    [[`${SUBSCRIPTIONS}/${UNKNOWN}/test`, { method: "POST" }], "NOT_FOUND"],
    [[`${one}/redrive`, { body: { eventId: "1" } }], "BAD_REQUEST"],
    [[`${one}/replay`, { body: { since: "yesterday" } }], "BAD_REQUEST"],
    [[KEYS, { body: { label: "" } }], "BAD_REQUEST"],
    [[`${KEYS}/none`, { method: "DELETE" }], "NOT_FOUND"],
    [["/api/platforms/nobody", { method: "PUT", body: {} }], "BAD_REQUEST"],
  ];
  for (const [write, code] of refusals) {
    assert.equal((await ask(awareness, write, token)).code, code, nameOf(write));
  }
  await awareness.database.query({
    text: `insert into api_key select sha256(convert_to(n::text, 'UTF8')), consumer_id, 'full', n::text, now()
             from api_key, generate_series(1, 19) n`,
    values: [],
  });
  assert.equal((await ask(awareness, [KEYS, { body: { label: "one more" } }], token)).code, "TOO_MANY");
  const counted = await ask(
    awareness,
    [`${one}/replay`, { body: { since: "2026-01-31T12:00:00Z", dryRun: true } }],
    token,
  );
  assert.deepEqual([counted.status, counted.body.dryRun], [200, true]);
  assert.equal((await ask(awareness, [one, { method: "DELETE" }], token)).status, 204);
  assert.equal((await ask(awareness, [SUBSCRIPTIONS, { body: {} }], token)).code, "BAD_REQUEST");
});

test("of many writes with one token at once, at two services of one database, a single one is done [V-DEC-235] [V-DEC-236]", async (t) => {
  const { awareness, person, writes, one } = await startWithOperator(t);
  const beside = await startAwareness(t, {
    database: awareness.database,
    publicUrl: () => awareness.url,
    findCertifiedKeys: awareness.findCertifiedKeys,
  });
  const addKey = writes[5] as Write;
  const kinds = [
    addKey,
    [one, { method: "PATCH", body: { active: false } }],
    [`${one}/test`, { method: "POST" }],
  ] as const;
  for (const write of kinds) {
    const token = await person.token();
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, index) => ask(index % 2 ? awareness : beside, write, token)),
    );
    const codes = answers.map(({ status, code }) => code ?? String(status).slice(0, 1)).toSorted();
    assert.deepEqual(codes, ["2", ...Array(15).fill("TOKEN_SPENT")], nameOf(write));
  }
  assert.equal((await ask(awareness, [KEYS, {}], await person.token())).body.apiKeys.length, 2);
  assert.equal(awareness.endpoint.received.filter(({ headers }) => headers["webhook-type"] === "test").length, 1);
});

test("an API key serves any number of writes [decision I6]", async (t) => {
  const { awareness, apiKey, one } = await startWithOperator(t);
  for (const active of [false, true, false]) {
    const { status, body } = await ask(awareness, [one, { method: "PATCH", body: { active } }], apiKey);
    assert.deepEqual([status, body.active], [200, active]);
  }
});

test("a spent token is forgotten ten minutes after it has expired, and not before [decision I6]", async (t) => {
  const awareness = await startAwareness(t);
  const person = await awareness.createPerson();
  const token = await person.token();
  const write: Write = [KEYS, { body: { label: "server" } }];
  assert.equal((await ask(awareness, write, token)).status, 201);
  const after = (minutes: number) => spentConsumerTokens.sweep(awareness.database, Date.now() + minutes * 60_000);
  assert.equal(await after(14), 0);
  assert.equal((await ask(awareness, write, token)).code, "TOKEN_SPENT");
  await startAwareness(t, { database: awareness.database, nowMs: () => Date.now() + 21 * 60_000 });
  const isForgotten = async () =>
    (await awareness.database.query({ text: "select from spent_consumer_token", values: [] })).rowCount === 0;
  await until(isForgotten, "the forgetting of the token by a service that begins to listen");
});
