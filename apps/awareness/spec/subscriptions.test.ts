import assert from "node:assert/strict";
import { test } from "node:test";
import { createSecretSeal } from "../src/subscriptions/secret-seal.ts";
import { makeEvent, OWNER } from "./support/events.ts";
import { allow, SERVICE_SECRET, startAwareness, type TestAwareness } from "./support/start-awareness.ts";

const PATH = "/api/subscriptions";
const TARGET = "http://127.0.0.1:9/hook";

interface Holder {
  readonly ask: (path: string, options?: { method?: string; body?: unknown }) => ReturnType<TestAwareness["ask"]>;
}

async function createHolder(awareness: TestAwareness): Promise<Holder> {
  const person = await awareness.createPerson();
  return { ask: async (path, options) => awareness.ask(path, { ...options, credential: await person.token() }) };
}

test("a subscription is made with a secret that is shown once and lies sealed in the table [V-EVT-280] [V-EVT-281] [V-EVT-283]", async (t) => {
  const awareness = await startAwareness(t);
  const holder = await createHolder(awareness);
  const wanted = { targetUrl: TARGET, ontologyFilter: ["note"], vaultFilter: [OWNER.toUpperCase().slice(1)] };
  const { status, headers, body } = await holder.ask(PATH, { body: wanted });
  assert.equal(status, 201);
  assert.equal(headers.get("cache-control"), "no-store");
  const { secret, ...shown } = body;
  assert.deepEqual(Object.keys(body).sort(), ["active", "id", "ontologyFilter", "secret", "targetUrl", "vaultFilter"]);
  assert.deepEqual(
    { ...shown, id: "" },
    { id: "", targetUrl: TARGET, ontologyFilter: ["note"], vaultFilter: [OWNER], active: true },
  );
  assert.match(secret, /^whsec_/);
  assert.equal(Buffer.from(secret.slice(6), "base64").length, 32);
  const list = await holder.ask(PATH);
  assert.deepEqual([list.status, list.body], [200, { subscriptions: [shown] }]);
  assert.deepEqual((await holder.ask(`${PATH}/${body.id}`)).body, shown);
  const { rows } = await awareness.database.query<{ sealed: Buffer }>({
    text: "select sealed from subscription_secret",
    values: [],
  });
  assert.equal(rows[0]?.sealed.includes(secret), false);
  assert.equal(createSecretSeal(SERVICE_SECRET).open(body.id, rows[0]!.sealed), secret);
  assert.throws(
    () => createSecretSeal(SERVICE_SECRET).open(crypto.randomUUID(), rows[0]!.sealed),
    "for its subscription alone",
  );
  assert.throws(() => createSecretSeal(`${SERVICE_SECRET}x`).open(body.id, rows[0]!.sealed), "with this key alone");
});

test("a secret of one's own is taken as `whsec_` and the base64 of 24 to 64 bytes; any other shape is refused [V-EVT-282]", async (t) => {
  const awareness = await startAwareness(t);
  const holder = await createHolder(awareness);
  const ask = (secret: unknown) => holder.ask(PATH, { body: { targetUrl: TARGET, secret } });
  const ofBytes = (bytes: number) => `whsec_${Buffer.alloc(bytes, 250).toString("base64")}`;
  for (const bytes of [24, 64]) {
    const { status, body } = await ask(ofBytes(bytes));
    assert.deepEqual([status, body.secret], [201, ofBytes(bytes)]);
  }
  const refused = [ofBytes(23), ofBytes(65), ofBytes(32).slice(6), ofBytes(32).replace("=", ""), "whsec_", 1, null];
  for (const secret of [...refused, ofBytes(32).replaceAll("+", "-").replaceAll("/", "_")]) {
    const { status, code } = await ask(secret);
    assert.deepEqual([status, code], [400, "BAD_REQUEST"], String(secret));
  }
});

test("a body with a member missing, unknown or of the wrong type is 400, and makes nothing [V-EVT-280]", async (t) => {
  const awareness = await startAwareness(t);
  const holder = await createHolder(awareness);
  const bodies: readonly unknown[] = [
    [],
    "text",
    {},
    { targetUrl: 1 },
    { targetUrl: TARGET, ontologyFilter: "note" },
    { targetUrl: TARGET, ontologyFilter: [1] },
    { targetUrl: TARGET, ontologyFilter: [""] },
    { targetUrl: TARGET, ontologyFilter: ["a\u0000"] },
    { targetUrl: TARGET, ontologyFilter: Array.from({ length: 101 }, (_, index) => `o${index}`) },
    { targetUrl: TARGET, vaultFilter: ["somebody"] },
    { targetUrl: TARGET, active: true },
    { targetUrl: TARGET, url: TARGET },
  ];
  for (const body of bodies) {
    const { status, code } = await holder.ask(PATH, { method: "POST", body: body === "text" ? '"text"' : body });
    assert.deepEqual([status, code], [400, "BAD_REQUEST"], JSON.stringify(body));
  }
  assert.deepEqual((await holder.ask(PATH)).body, { subscriptions: [] });
});

test("a target must be a public https address on port 443 under a host name, unless the operator lists it [V-EVT-221] [V-EVT-222] [V-EVT-228]", async (t) => {
  const addresses = {
    "hooks.example.org": ["93.184.215.14"],
    "inner.example.org": ["10.0.0.7"],
    "both.example.org": ["93.184.215.14", "127.0.0.1"],
    "listed.example.org": ["10.0.0.8"],
    localhost: ["127.0.0.1"],
  };
  const outgoingAllow = allow("listed.example.org:8443,10.9.0.0/16");
  const awareness = await startAwareness(t, { addresses, outgoingAllow });
  const holder = await createHolder(awareness);
  const codeOf = async (targetUrl: string) => (await holder.ask(PATH, { body: { targetUrl } })).code ?? "taken";
  for (const taken of [
    "https://hooks.example.org/in?a=1",
    "https://listed.example.org:8443/",
    "http://10.9.1.1:3000/hook",
  ]) {
    assert.equal(await codeOf(taken), "taken", taken);
  }
  const refused = [
    ...["http://hooks.example.org/", "https://hooks.example.org:8443/", "https://user@hooks.example.org/"],
    ...["https://user:word@hooks.example.org/", "https://hooks.example.org/#part", "ftp://hooks.example.org/"],
    ...["https://inner.example.org/", "https://both.example.org/", "https://localhost/", "https://listed.example.org/"],
    ...["https://127.0.0.1/", "https://127.1/", "https://0x7f000001/", "https://2130706433/", "https://017700000001/"],
    ...["https://[::1]/", "https://[::ffff:127.0.0.1]/", "https://169.254.169.254/", "https://[64:ff9b::7f00:1]/"],
    ...[
      "https://93.184.215.14/",
      "https://[2606:4700::1111]/",
      "nonsense",
      "https://",
      `https://hooks.example.org/${"a".repeat(2030)}`,
    ],
  ];
  for (const target of refused) {
    const code = await codeOf(target);
    assert.ok(code === "INVALID_TARGET" || (code === "BAD_REQUEST" && target.length > 2048), `${target}: ${code}`);
  }
  assert.equal(await codeOf("https://nowhere.example.org/"), "TARGET_UNVERIFIED");
});

test("a change is answered 200, turns a subscription off and on, and changes its filters and target [V-EVT-284] [V-EVT-287]", async (t) => {
  const awareness = await startAwareness(t);
  const holder = await createHolder(awareness);
  const { body: made } = await holder.ask(PATH, { body: { targetUrl: TARGET } });
  const change = (body: unknown) => holder.ask(`${PATH}/${made.id}`, { method: "PATCH", body });
  const deliveries = async () => {
    await awareness.ingest(makeEvent());
    return (await awareness.database.query({ text: "select from delivery", values: [] })).rowCount;
  };
  const off = await change({ active: false });
  assert.deepEqual([off.status, off.body.active, off.body.secret], [200, false, undefined]);
  assert.equal(await deliveries(), 0);
  assert.equal((await change({ active: true, ontologyFilter: ["poll"] })).body.active, true);
  assert.equal(await deliveries(), 0);
  const open = await change({ ontologyFilter: [], vaultFilter: [OWNER], targetUrl: "http://127.0.0.1:9/other" });
  assert.deepEqual(open.body, {
    id: made.id,
    targetUrl: "http://127.0.0.1:9/other",
    ontologyFilter: [],
    vaultFilter: [OWNER],
    active: true,
  });
  assert.equal(await deliveries(), 1);
  assert.equal((await change({ targetUrl: "http://10.0.0.1/" })).code, "INVALID_TARGET");
  for (const body of [{ secret: "whsec_" }, { id: made.id }, { active: "no" }, { removed: true }]) {
    assert.equal((await change(body)).code, "BAD_REQUEST", JSON.stringify(body));
  }
  assert.deepEqual((await holder.ask(`${PATH}/${made.id}`)).body, open.body);
});

test("a removed subscription is answered 204, is gone, and matches nothing [V-EVT-286]", async (t) => {
  const awareness = await startAwareness(t);
  const holder = await createHolder(awareness);
  const { body: made } = await holder.ask(PATH, { body: { targetUrl: TARGET } });
  const one = `${PATH}/${made.id}`;
  assert.equal((await holder.ask(one, { method: "DELETE" })).status, 204);
  for (const method of ["GET", "PATCH", "DELETE"]) {
    const answer = await holder.ask(one, { method, ...(method === "PATCH" ? { body: {} } : {}) });
    assert.deepEqual([answer.status, answer.code], [404, "NOT_FOUND"], method);
  }
  assert.deepEqual((await holder.ask(PATH)).body, { subscriptions: [] });
  await awareness.ingest(makeEvent());
  assert.equal((await awareness.database.query({ text: "select from delivery", values: [] })).rowCount, 0);
});

test("consumers never see another's subscription: it is 404 like one that never was, and stays as it is [decision E9]", async (t) => {
  const awareness = await startAwareness(t);
  const [holder, other] = [await createHolder(awareness), await createHolder(awareness)];
  const { body: made } = await holder.ask(PATH, { body: { targetUrl: TARGET } });
  assert.deepEqual((await other.ask(PATH)).body, { subscriptions: [] });
  for (const method of ["GET", "PATCH", "DELETE"]) {
    const options = { method, ...(method === "PATCH" ? { body: { active: false } } : {}) };
    const answers: { readonly status: number; readonly body: unknown }[] = [];
    for (const id of [made.id, crypto.randomUUID(), "1", "'"]) {
      const { status, body } = await other.ask(`${PATH}/${id}`, options);
      answers.push({ status, body });
    }
    assert.equal(answers[0]?.status, 404, method);
    assert.deepEqual(
      answers,
      answers.map(() => answers[0]),
      method,
    );
  }
  assert.equal((await holder.ask(`${PATH}/${made.id}`)).body.active, true);
});

test("a consumer has at most 100 subscriptions, also when many are asked for at a time [decision E9]", async (t) => {
  const awareness = await startAwareness(t);
  const person = await awareness.createPerson();
  const credential = await person.token();
  const add = () => awareness.ask(PATH, { body: { targetUrl: TARGET }, credential });
  await add();
  await awareness.database.query({
    text: `insert into subscription (id, consumer_id, target_url, ontology_filter, vault_filter, created_at)
           select gen_random_uuid(), id, 'http://127.0.0.1:9/', '{}', '{}', now() from consumer, generate_series(1, 97)`,
    values: [],
  });
  const codes = (await Promise.all(Array.from({ length: 6 }, add)))
    .map(({ status, code }) => `${status} ${code}`)
    .sort();
  assert.deepEqual(codes, ["201 undefined", "201 undefined", ...Array.from({ length: 4 }, () => "409 TOO_MANY")]);
});
