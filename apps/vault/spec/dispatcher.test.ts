import assert from "node:assert/strict";
import { Writable } from "node:stream";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { systemClock } from "@dataspace/service-kit/clock";
import { createLog } from "@dataspace/service-kit/log";
import { issueWalletToken } from "@dataspace/wallet/issue-wallet-token";
import { createWalletKey } from "@dataspace/wallet/wallet-key";
import { envToVaultConfig } from "../src/config.ts";
import { readOutboxDepth } from "../src/store/outbox-rows.ts";
import { askGraphQL } from "./support/ask.ts";
import { create, DOCUMENTS } from "./support/operations.ts";
import { answerResults, INGEST_SECRET, type IngestStub, startIngestStub } from "./support/start-ingest-stub.ts";
import { type SharedParts, startVault, type TestVault } from "./support/start-vault.ts";
import { startVaultProcess } from "./support/start-vault-process.ts";

const BULK = `mutation ($inputs: [BulkMetaEnvelopeInput!]!) {
  bulkCreateMetaEnvelopes(inputs: $inputs) { successCount errorCount errors { code message } }
}`;

async function setup(shared: SharedParts = {}) {
  await using stack = new AsyncDisposableStack();
  const awareness = stack.use(await startIngestStub());
  const vault = stack.use(await startVault({ awareness: awareness.address }, shared));
  const owner = await vault.createOwner();
  const owned = stack.move();
  return { awareness, vault, owner, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** A log whose lines the test reads. */
function keepLog(level: "warn" | "error") {
  const lines: { readonly level: string; readonly msg: string; readonly eventId?: string }[] = [];
  const sink = new Writable({
    write: (chunk, _encoding, done) => {
      lines.push(JSON.parse(String(chunk)));
      done();
    },
  });
  return { lines, log: createLog({ service: "vault", level, pretty: false }, sink) };
}

async function until(holds: () => boolean | Promise<boolean>, withinMs = 15_000): Promise<void> {
  const endMs = performance.now() + withinMs;
  while (!(await holds())) {
    assert.ok(performance.now() < endMs, "it did not come to be in time");
    await wait(10);
  }
}

async function update(vault: Pick<TestVault, "url">, owner: string, id: string, n: number): Promise<void> {
  const answer = await askGraphQL(vault, owner, DOCUMENTS.update, { id, input: { ontology: "note", payload: { n } } });
  assert.deepEqual(answer.body.data.updateMetaEnvelope.errors, []);
}

function asPlatform(vault: TestVault) {
  const iat = Math.floor(Date.now() / 1000);
  return { authorization: `Bearer ${vault.signAsRegistry({ platform: "https://p.example", iat, exp: iat + 60 })}` };
}

function isEmpty(at: { readonly vault: Pick<TestVault, "database"> }): Promise<boolean> {
  return waits(at, { lanes: 0, events: 0 });
}

async function waits(
  { vault }: { readonly vault: Pick<TestVault, "database"> },
  expected: { readonly lanes: number; readonly events: number },
): Promise<boolean> {
  const { lanes, events } = await readOutboxDepth(vault.database);
  return lanes === expected.lanes && events === expected.events;
}

const versionsOf = ({ requests }: IngestStub, id: string) =>
  requests
    .flatMap(({ events }) => events)
    .filter((event) => event.id === id)
    .map(({ streamVersion }) => streamVersion);

test("each event goes to /ingest with the secret, its frozen body, the requesting platform and the policy in force, and is then forgotten [V-EVT-180] [V-EVT-205] [V-EVT-206] [decision E5]", async () => {
  await using at = await setup();
  const id = await create(at.vault, at.owner, { payload: { 'k"': "é" }, acl: ["*"] });
  await until(() => isEmpty(at));
  const [request] = at.awareness.requests;
  assert.equal(request?.headers["url"], "/ingest");
  assert.equal(request?.headers["authorization"], `Bearer ${INGEST_SECRET}`);
  assert.match(String(request?.headers["content-type"]), /^application\/json/);
  const [item] = request!.items;
  assert.deepEqual(Object.keys(item!), ["body", "requestingPlatform", "policy"]);
  assert.equal(item?.requestingPlatform, null);
  assert.deepEqual(item?.policy, { acl: ["*"], _acl: null, owner: null });
  assert.deepEqual(JSON.parse(item!.body).data, { 'k"': "é" });
  assert.deepEqual(versionsOf(at.awareness, id), [1]);
});

test("events go out while mutations go on, well before the safety poll [decision E1]", async () => {
  await using at = await setup();
  await create(at.vault, at.owner, { payload: {} });
  await until(() => isEmpty(at));
  await wait(100);
  const startMs = performance.now();
  for (let n = 0; n < 5; n += 1) {
    await create(at.vault, at.owner, { payload: { n } });
    await until(() => at.awareness.stored.size === n + 2);
  }
  assert.ok(performance.now() - startMs < 2_500, `${performance.now() - startMs} ms for five`);
});

test("while awareness is down mutations go on; afterwards everything arrives, in order in each stream [V-EVT-007] [V-DLV-002] [V-DLV-005] [V-DLV-006]", async () => {
  const { log, lines } = keepLog("warn");
  await using at = await setup({ log });
  at.awareness.answer = (_request, response) => response.writeHead(503).end();
  const ids: string[] = [];
  for (let record = 0; record < 4; record += 1) ids.push(await create(at.vault, at.owner, { payload: { n: 0 } }));
  for (let n = 1; n <= 5; n += 1) await Promise.all(ids.map((id) => update(at.vault, at.owner, id, n)));
  await until(() => at.awareness.requests.length >= 3);
  assert.equal((await readOutboxDepth(at.vault.database)).events, 24);
  at.awareness.answer = undefined;
  await until(() => isEmpty(at));
  for (const id of ids) assert.deepEqual(at.awareness.stored.get(id), [1, 2, 3, 4, 5, 6]);
  const byVersion = new Map<string, string>();
  for (const { id, streamVersion, eventId } of at.awareness.requests.flatMap(({ events }) => events)) {
    const known = byVersion.get(`${id} ${streamVersion}`) ?? eventId;
    assert.equal(eventId, known, "a repeat carries the same eventId");
    byVersion.set(`${id} ${streamVersion}`, known);
  }
  assert.equal(lines.filter(({ msg }) => msg.includes("takes no events")).length, 1, "an outage is logged once");
});

test("awareness that nobody listens at holds no mutation up, and the depth tells what waits since when [V-EVT-007] [decision E1]", async () => {
  const beforeMs = Date.now();
  const nowhere = await startIngestStub();
  await nowhere[Symbol.asyncDispose]();
  await using vault = await startVault({ awareness: nowhere.address });
  const owner = await vault.createOwner();
  const id = await create(vault, owner, { payload: { n: 0 } });
  await update(vault, owner, id, 1);
  const { lanes, events, oldestAtMs } = await readOutboxDepth(vault.database);
  assert.deepEqual([lanes, events], [1, 2]);
  assert.ok(oldestAtMs! >= beforeMs && oldestAtMs! <= Date.now());
});

test("only what was acknowledged is forgotten, event by event; a stream goes on from its first version without a result [V-EVT-213]", async () => {
  await using at = await setup();
  at.awareness.answer = (_request, response) => response.writeHead(503).end();
  const [first, second] = [
    await create(at.vault, at.owner, { payload: {} }),
    await create(at.vault, at.owner, { payload: {} }),
  ];
  for (const n of [1, 2]) await update(at.vault, at.owner, first, n);
  let partly = 0;
  at.awareness.answer = ({ events }, response) => {
    partly += 1;
    const delivered = events.filter(({ id, streamVersion }) => id === second || streamVersion !== 2);
    const results = delivered.map(({ eventId }) => ({ eventId, status: "accepted" }));
    answerResults(response, results);
  };
  await until(async () => partly > 3 && (await readOutboxDepth(at.vault.database)).events === 2);
  const { rows } = await at.vault.database.query({
    text: "select stream_id, stream_version from change_event order by stream_version",
    values: [],
  });
  assert.deepEqual(
    rows,
    [2, 3].map((stream_version) => ({ stream_id: first, stream_version })),
  );
  at.awareness.answer = undefined;
  await until(() => isEmpty(at));
  assert.deepEqual(at.awareness.stored.get(first), [2, 3]);
});

test("a 409 acknowledges by its results, and the conflict is logged as an error [V-EVT-212] [V-EVT-213]", async () => {
  const { log, lines } = keepLog("error");
  await using at = await setup({ log });
  at.awareness.answer = ({ events }, response) =>
    answerResults(
      response,
      events.map(({ eventId }) => ({ eventId, status: "conflict" })),
      409,
    );
  await create(at.vault, at.owner, { payload: {} });
  await until(() => isEmpty(at));
  const [sent] = at.awareness.requests.flatMap(({ events }) => events);
  assert.deepEqual(
    lines.map(({ level, eventId }) => [level, eventId]),
    [["error", sent?.eventId]],
  );
});

test("an answer that acknowledges nothing acknowledges nothing, whatever it is [V-EVT-007]", async () => {
  await using at = await setup();
  const garbage: readonly [number, string][] = [
    [200, ""],
    [200, "<html>"],
    [200, "null"],
    [200, '{"results":[]}'],
    [200, '{"results":{"eventId":"x"}}'],
    [200, '{"results":[null,7,{"eventId":1,"status":"accepted"},{"eventId":"other","status":"stored"}]}'],
    [409, "{}"],
    [302, ""],
    [401, '{"error":{"code":"UNAUTHENTICATED","message":"no"}}'],
    [200, `{"results":[],"more":"${"x".repeat(100_000)}"}`],
  ];
  const id = await create(at.vault, at.owner, { payload: {} });
  await until(() => isEmpty(at));
  for (const [status, text] of garbage) {
    at.awareness.answer = (_request, response) => {
      response.writeHead(status, { "content-type": "application/json", location: "/elsewhere" }).end(text);
      at.awareness.answer = undefined;
    };
    await update(at.vault, at.owner, id, status);
    await until(() => isEmpty(at));
  }
  assert.equal(at.awareness.requests.length, 1 + 2 * garbage.length);
  assert.deepEqual(
    at.awareness.stored.get(id),
    Array.from({ length: garbage.length + 1 }, (_, index) => index + 1),
  );
});

test("a request that hangs is given up after 5 seconds and its events come again [V-DLV-001] [V-DLV-002]", async () => {
  await using at = await setup();
  const atMs: number[] = [];
  at.awareness.answer = () => {
    atMs.push(performance.now());
    at.awareness.answer = undefined;
  };
  const id = await create(at.vault, at.owner, { payload: {} });
  await until(() => isEmpty(at));
  const tookMs = performance.now() - atMs[0]!;
  assert.ok(tookMs > 4_900 && tookMs < 9_000, `${tookMs} ms`);
  assert.deepEqual(at.awareness.stored.get(id), [1]);
});

test("an event that awareness refuses holds up its own stream alone [V-DLV-008]", async () => {
  await using at = await setup();
  at.awareness.answer = (_request, response) => response.writeHead(503).end();
  const poison = await create(at.vault, at.owner, { payload: {} });
  const others = await Promise.all([1, 2, 3].map((n) => create(at.vault, at.owner, { payload: { n } })));
  const taken = new Set<string>();
  let refusals = 0;
  at.awareness.answer = ({ events }, response) => {
    if (events.some(({ id }) => id === poison)) {
      refusals += 1;
      return response.writeHead(400).end('{"error":{"code":"BAD_REQUEST","message":"one is not an event"}}');
    }
    for (const { id } of events) taken.add(id);
    answerResults(
      response,
      events.map(({ eventId }) => ({ eventId, status: "accepted" })),
    );
  };
  await until(() => others.every((id) => taken.has(id)) && refusals > 1);
  await until(() => waits(at, { lanes: 1, events: 1 }));
});

test("a rejected event is sent again, in the order of its stream, and delays only its own stream [decision E5]", async () => {
  await using at = await setup();
  at.awareness.answer = (_request, response) => response.writeHead(503).end();
  const rejected = await create(at.vault, at.owner, { payload: { n: 0 } });
  await update(at.vault, at.owner, rejected, 1);
  const others = await Promise.all([1, 2, 3].map((n) => create(at.vault, at.owner, { payload: { n } })));
  const seen: string[] = [];
  at.awareness.answer = ({ events }, response) => {
    seen.push(...events.map(({ id }) => id));
    const statusOf = (id: string) => (id === rejected ? "rejected" : "accepted");
    answerResults(
      response,
      events.map(({ id, eventId }) => ({ eventId, status: statusOf(id) })),
    );
  };
  await until(() => others.every((id) => seen.includes(id)) && seen.filter((id) => id === rejected).length > 2);
  const later = await create(at.vault, at.owner, { payload: { n: "rejected events alone are not an outage" } });
  await until(() => seen.includes(later));
  await until(() => waits(at, { lanes: 1, events: 2 }));
  at.awareness.answer = undefined;
  await until(() => isEmpty(at), 30_000);
  assert.deepEqual(at.awareness.stored.get(rejected), [1, 2]);
});

test("1,000 events of one bulk go in requests of at most 100 events and 4 MiB [V-EVT-214] [V-EVT-215] [decision P9]", async () => {
  await using at = await setup();
  const small = Array.from({ length: 1_000 }, (_, n) => ({ ontology: "note", payload: { n }, acl: ["*"] }));
  const answer = await askGraphQL(at.vault, at.owner, BULK, { inputs: small }, asPlatform(at.vault));
  assert.equal(answer.body.data.bulkCreateMetaEnvelopes.successCount, 1_000, JSON.stringify(answer.body));
  await until(() => isEmpty(at), 30_000);
  assert.equal(at.awareness.stored.size, 1_000);
  const large = Array.from({ length: 12 }, () => ({
    ontology: "note",
    payload: { text: '"'.repeat(500_000) },
    acl: ["*"],
  }));
  const more = await askGraphQL(at.vault, at.owner, BULK, { inputs: large }, asPlatform(at.vault));
  assert.equal(more.body.data.bulkCreateMetaEnvelopes.successCount, 12, JSON.stringify(more.body).slice(0, 1_000));
  await until(() => isEmpty(at), 30_000);
  assert.equal(at.awareness.stored.size, 1_012);
  for (const { events, text } of at.awareness.requests) {
    assert.ok(
      events.length <= 100 && Buffer.byteLength(text) <= 4 * 1_048_576,
      `${events.length} events, ${text.length}`,
    );
  }
});

test("the largest record that a vault takes goes alone and in one request [V-EVT-260]", async () => {
  await using at = await setup();
  const text = '"'.repeat((1_048_576 - '{"t":""}'.length) / 2);
  const id = await create(at.vault, at.owner, { payload: { t: text } });
  await until(() => isEmpty(at));
  assert.deepEqual(at.awareness.stored.get(id), [1]);
  assert.ok(Buffer.byteLength(at.awareness.requests[0]!.text) < 4 * 1_048_576);
});

test("twenty writers of one record at once, two vaults that dispatch: each version once and in order [V-EVT-120] [V-DLV-007] [decision E1]", async () => {
  await using at = await setup();
  await using beside = await startVault(
    { awareness: at.awareness.address },
    { database: at.vault.database, registry: at.vault.registry },
  );
  const id = await create(at.vault, at.owner, { payload: { n: 0 } });
  const vaults = [at.vault, beside];
  await Promise.all(Array.from({ length: 60 }, (_, n) => update(vaults[n % 2]!, at.owner, id, n)));
  await until(() => isEmpty(at));
  assert.deepEqual(
    versionsOf(at.awareness, id),
    Array.from({ length: 61 }, (_, index) => index + 1),
  );
});

test("events that one vault could not send before it stopped are sent by the next [V-EVT-005]", async () => {
  await using awareness = await startIngestStub();
  await using keeper = await startVault();
  const owner = await keeper.createOwner();
  const shared = { database: keeper.database, registry: keeper.registry };
  const first = await startVault({ awareness: awareness.address }, shared);
  awareness.answer = (_request, response) => response.writeHead(503).end();
  const ids = await Promise.all([1, 2, 3].map((n) => create(first, owner, { payload: { n } })));
  for (const id of ids) await update(first, owner, id, 9);
  await until(() => awareness.requests.length > 0);
  await first[Symbol.asyncDispose]();
  assert.equal((await readOutboxDepth(keeper.database)).events, 6);
  awareness.answer = undefined;
  await using second = await startVault({ awareness: awareness.address }, shared);
  assert.ok(second.url);
  await until(() => isEmpty({ vault: keeper }));
  for (const id of ids) assert.deepEqual(awareness.stored.get(id), [1, 2]);
});

test("kill -9 between POST and acknowledgement: the event comes again under the same eventId, and is not lost [V-EVT-005] [V-EVT-121] [V-DLV-005] [V-DLV-006]", async () => {
  await using awareness = await startIngestStub();
  await using vault = await startVault();
  const owner = await vault.createOwner();
  const settings = { DS_AWARENESS_URL: awareness.address.url, DS_INGEST_SECRET: INGEST_SECRET };
  await using doomed = await startVaultProcess(vault.database.url, settings);
  const posted = Promise.withResolvers<void>();
  awareness.answer = () => posted.resolve();
  const id = await create(doomed, owner, { payload: { n: 0 } });
  await update(doomed, owner, id, 1);
  await posted.promise;
  await doomed.kill("SIGKILL");
  awareness.answer = undefined;
  await using heir = await startVaultProcess(vault.database.url, settings);
  assert.ok(heir.url);
  await until(() => isEmpty({ vault }), 30_000);
  assert.deepEqual(awareness.stored.get(id), [1, 2]);
  const ofFirst = awareness.requests.flatMap(({ events }) => events).filter((event) => event.streamVersion === 1);
  assert.ok(ofFirst.length >= 2, "it was sent twice");
  assert.equal(new Set(ofFirst.map(({ eventId }) => eventId)).size, 1);
});

test("what is suppressed is not sent, and the versions after it are [decision V8] [decision E1]", async () => {
  await using awareness = await startIngestStub();
  await using vault = await startVault({ auth: "enforced", awareness: awareness.address });
  const key = await createWalletKey();
  const owner = await vault.createOwner(key.publicKey);
  const store = "mutation ($input: MetaEnvelopeInput!) { storeMetaEnvelope(input: $input) { metaEnvelope { id } } }";
  const input = { ontology: "note", payload: { a: 1 }, acl: ["*"] };
  const stored = await askGraphQL(vault, owner, store, { input });
  const { id } = stored.body.data.storeMetaEnvelope.metaEnvelope;
  await wait(1_200);
  assert.equal(awareness.requests.length, 0);
  const token = await issueWalletToken({ key, clock: systemClock }, { ename: owner, audience: owner });
  await askGraphQL(vault, owner, DOCUMENTS.update, { id, input }, { authorization: `Bearer ${token}` });
  await until(() => isEmpty({ vault }));
  assert.deepEqual(awareness.stored.get(id), [2]);
});

test("the address of awareness and the secret are required together, and in production; the secret has 32 characters or more [V-EVT-201]", () => {
  const secret = "0123456789abcdefghijklmnopqrstuv";
  const env = { DS_REGISTRY_URL: "http://127.0.0.1:1", REGISTRY_SHARED_SECRET: secret, DS_SECRET: secret };
  const url = { DS_AWARENESS_URL: "http://127.0.0.1:4100" };
  assert.equal(envToVaultConfig(env).awareness, undefined);
  const { awareness } = envToVaultConfig({ ...env, ...url, DS_INGEST_SECRET: secret });
  assert.deepEqual([awareness?.url, awareness?.secret.reveal()], [url.DS_AWARENESS_URL, secret]);
  assert.throws(() => envToVaultConfig({ ...env, ...url }), /DS_INGEST_SECRET: is required/);
  assert.throws(() => envToVaultConfig({ ...env, DS_INGEST_SECRET: secret }), /DS_AWARENESS_URL: is required/);
  assert.throws(() => envToVaultConfig({ ...env, ...url, DS_INGEST_SECRET: "short" }), /DS_INGEST_SECRET: .*32/);
  const production = { ...env, NODE_ENV: "production", DS_VAULT_URL: "https://vault.example" };
  assert.throws(() => envToVaultConfig(production), /DS_AWARENESS_URL: [\s\S]*DS_INGEST_SECRET: /);
});
