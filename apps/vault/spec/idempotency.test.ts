import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { systemClock } from "@dataspace/service-kit/clock";
import { issueWalletToken } from "@dataspace/wallet/issue-wallet-token";
import { createWalletKey } from "@dataspace/wallet/wallet-key";
import type { TestDatabase } from "@dataspace/service-kit/testing/test-database";
import { askGraphQL } from "./support/ask.ts";
import { create, DOCUMENTS, errorCodeOf, refusalOf } from "./support/operations.ts";
import { rawRequest, sendRaw } from "./support/raw-request.ts";
import { startVault, type TestVault } from "./support/start-vault.ts";
import { startVaultProcess } from "./support/start-vault-process.ts";

const note = (text: string) => ({ input: { ontology: "note", payload: { text } } });

function createWithKey(
  vault: Pick<TestVault, "url">,
  owner: string,
  { key = "k-1", text = "a", headers = {} as Readonly<Record<string, string>> } = {},
) {
  return askGraphQL(vault, owner, DOCUMENTS.create, note(text), { "idempotency-key": key, ...headers });
}

async function rowsOf(database: TestDatabase, text: string): Promise<readonly Record<string, unknown>[]> {
  return (await database.query<Record<string, unknown>>({ text, values: [] })).rows;
}

async function countOf(database: TestDatabase, table = "meta_envelope"): Promise<unknown> {
  return (await rowsOf(database, `select count(*) as n from ${table}`))[0]?.["n"];
}

/** A platform's token, as the registry signs it. */
function platform(vault: TestVault, name = "https://p.example"): Readonly<Record<string, string>> {
  const iat = Math.floor(Date.now() / 1000);
  return { authorization: `Bearer ${vault.signAsRegistry({ platform: name, iat, exp: iat + 60 })}` };
}

test("the same Idempotency-Key and body again gets the stored answer and writes nothing; another body is IDEMPOTENCY_MISMATCH [V-DEC-727] [V-DEC-728]", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  const first = await createWithKey(vault, owner);
  const again = await createWithKey(vault, owner);
  assert.deepEqual([again.status, again.body], [200, first.body]);
  assert.deepEqual([await countOf(vault.database), await countOf(vault.database, "change_event")], [1, 1]);
  const other = await createWithKey(vault, owner, { text: "b" });
  assert.deepEqual(
    [other.status, other.body.error.code, errorCodeOf(other)],
    [422, "IDEMPOTENCY_MISMATCH", "IDEMPOTENCY_MISMATCH"],
  );
  const inOtherName = { "x-on-behalf-of": await vault.createOwner() };
  assert.equal((await createWithKey(vault, owner, { headers: inOtherName })).status, 422);
  assert.equal((await createWithKey(vault, owner, { key: "k-2" })).status, 200);
  assert.equal(await countOf(vault.database), 2);
});

test("ten repetitions at once, at two vaults on one database, write once and get one answer [V-DEC-727]", async () => {
  await using vault = await startVault();
  await using second = await startVault({}, { database: vault.database });
  const owner = await vault.createOwner();
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, n) => createWithKey(n % 2 === 0 ? vault : second, owner)),
  );
  assert.deepEqual(
    answers.map(({ status }) => status),
    Array(10).fill(200),
  );
  assert.equal(new Set(answers.map(({ body }) => JSON.stringify(body))).size, 1);
  assert.equal(await countOf(vault.database), 1);
});

test("a key of another owner or of another caller is another key [V-DEC-729]", async () => {
  await using vault = await startVault();
  const owners = [await vault.createOwner(), await vault.createOwner()] as const;
  const ids = [
    await createWithKey(vault, owners[0]),
    await createWithKey(vault, owners[1]),
    await createWithKey(vault, owners[0], { headers: platform(vault) }),
    await createWithKey(vault, owners[0], { headers: platform(vault, "https://q.example") }),
    await createWithKey(vault, owners[0], { headers: platform(vault) }),
  ].map(({ body }) => body.data.createMetaEnvelope.metaEnvelope.id);
  assert.equal(new Set(ids).size, 4);
  assert.equal(ids[4], ids[2]);
});

test("an anonymous caller's key is not honoured: each store is a new MetaEnvelope [V-DEC-730]", async () => {
  await using vault = await startVault({ auth: "enforced" });
  const owner = await vault.createOwner();
  const store = `mutation ($input: MetaEnvelopeInput!) { storeMetaEnvelope(input: $input) { metaEnvelope { id } } }`;
  for (const _ of [1, 2]) {
    const { status, body } = await askGraphQL(vault, owner, store, note("a"), { "idempotency-key": "k" });
    assert.deepEqual([status, body.errors], [200, undefined]);
  }
  assert.deepEqual([await countOf(vault.database), await countOf(vault.database, "idempotent_answer")], [2, 0]);
});

test("a repetition with the same wallet token, or a fresh one, gets the stored answer, not TOKEN_SPENT (decisions I6, V20) [V-DEC-727]", async () => {
  await using vault = await startVault({ auth: "enforced" });
  const key = await createWalletKey();
  const ename = await vault.createOwner(key.publicKey);
  const token = async () => {
    const text = await issueWalletToken({ key, clock: systemClock }, { ename, audience: ename });
    return { authorization: `Bearer ${text}` };
  };
  const headers = await token();
  const first = await createWithKey(vault, ename, { headers });
  assert.deepEqual(first.body.data.createMetaEnvelope.errors, []);
  assert.deepEqual((await createWithKey(vault, ename, { headers })).body, first.body);
  assert.deepEqual((await createWithKey(vault, ename, { headers: await token() })).body, first.body);
  const spent = await createWithKey(vault, ename, { headers, key: "k-2" });
  assert.equal(refusalOf(spent).code, "TOKEN_SPENT");
  assert.equal(await countOf(vault.database), 1);
});

test("a refused mutation is an answer too and is stored; within one request a refusal leaves the other mutations alone", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  const document = `mutation ($a: MetaEnvelopeInput!, $b: [BulkMetaEnvelopeInput!]!) {
    one: createMetaEnvelope(input: $a) { metaEnvelope { id } errors { code } }
    none: removeMetaEnvelope(id: "nothing") { success errors { code } }
    many: bulkCreateMetaEnvelopes(inputs: $b) { successCount errorCount errors { code } }
    again: bulkCreateMetaEnvelopes(inputs: $b) { successCount results { error } }
  }`;
  const variables = { a: note("a").input, b: [{ id: "b", ontology: "note", payload: {} }] };
  const headers = { "idempotency-key": "k", ...platform(vault) };
  const first = await askGraphQL(vault, owner, document, variables, headers);
  const { one, none, many, again } = first.body.data;
  assert.deepEqual([one.errors, none.errors, many.successCount], [[], [{ code: "NOT_FOUND" }], 1]);
  assert.match(again.results[0].error, /^ID_EXISTS: /);
  assert.deepEqual((await askGraphQL(vault, owner, document, variables, headers)).body, first.body);
  assert.equal(await countOf(vault.database), 2);
});

test("a key that is not 1 to 128 printable characters, or is sent twice, is BAD_REQUEST; a query ignores it", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  for (const key of ["x".repeat(129), "é", "a\tb"]) {
    const { status, body } = await createWithKey(vault, owner, { key });
    assert.deepEqual([status, body.error.code], [400, "BAD_REQUEST"], key);
  }
  const body = JSON.stringify({ query: DOCUMENTS.create, variables: note("a") });
  const lines = ["Host: 127.0.0.1", "Content-Type: application/json", `X-ENAME: ${owner}`];
  const twice = rawRequest("POST /graphql", [...lines, "Idempotency-Key: a", "Idempotency-Key: b"], body);
  assert.equal((await sendRaw(vault.url, twice)).status, 400);
  assert.equal((await createWithKey(vault, owner, { key: "x".repeat(128) })).status, 200);
  const id = await create(vault, owner, { payload: {} });
  const read = await askGraphQL(vault, owner, DOCUMENTS.read, { id }, { "idempotency-key": "x".repeat(500) });
  assert.equal(read.body.data.metaEnvelope.id, id);
  assert.equal(await countOf(vault.database, "idempotent_answer"), 1);
});

test("after 24 hours a key is free again, and expired answers are deleted [V-DEC-727]", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  await createWithKey(vault, owner);
  const [stored] = await rowsOf(vault.database, "select expires_at - now() as left from idempotent_answer");
  assert.match(JSON.stringify(stored), /"hours":23,"minutes":59/);
  await rowsOf(vault.database, "update idempotent_answer set expires_at = now() - interval '1 s'");
  assert.equal((await createWithKey(vault, owner, { text: "b" })).status, 200);
  assert.equal(await countOf(vault.database), 2);
  await rowsOf(vault.database, "update idempotent_answer set expires_at = now() - interval '1 s'");
  await createWithKey(vault, owner, { key: "k-2" });
  await using _fresh = await startVault({}, { database: vault.database });
  const endMs = performance.now() + 15_000;
  while (Number(await countOf(vault.database, "idempotent_answer")) > 1) {
    assert.ok(performance.now() < endMs, "it was not deleted in time");
    await sleep(10);
  }
  assert.equal(await countOf(vault.database, "idempotent_answer"), 1, "the one whose day is not over stays");
});

test("an answer too large to be stored is RESULT_TOO_LARGE and nothing is written", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  const input = { ontology: "note", payload: { a: "x".repeat(1_000_000) } };
  const fields = "{ metaEnvelope { a: parsed b: parsed c: parsed d: parsed e: parsed } }";
  const document = `mutation ($input: MetaEnvelopeInput!) { createMetaEnvelope(input: $input) ${fields} }`;
  const { status, body } = await askGraphQL(vault, owner, document, { input }, { "idempotency-key": "k" });
  assert.deepEqual([status, body.error.code, await countOf(vault.database)], [413, "RESULT_TOO_LARGE", 0]);
});

test("a fault in the middle undoes the whole request, is answered alone, and the repetition does it once", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  const broken = `create function broken() returns trigger language plpgsql as $$
      begin raise exception 'no space' using errcode = 'disk_full'; end $$;
    create trigger broken before insert on change for each row when (new.ontology = 'second') execute function broken()`;
  await rowsOf(vault.database, broken);
  const document = `mutation ($a: MetaEnvelopeInput!, $b: MetaEnvelopeInput!) {
    a: createMetaEnvelope(input: $a) { metaEnvelope { id } } b: createMetaEnvelope(input: $b) { metaEnvelope { id } } }`;
  const variables = { a: { ontology: "first", payload: {} }, b: { ontology: "second", payload: {} } };
  const send = () => askGraphQL(vault, owner, document, variables, { "idempotency-key": "k" });
  const failed = await send();
  assert.deepEqual([failed.status, errorCodeOf(failed), failed.body.data], [503, "STORAGE_FULL", undefined]);
  assert.deepEqual([await countOf(vault.database), await countOf(vault.database, "idempotent_answer")], [0, 0]);
  await rowsOf(vault.database, "drop trigger broken on change");
  const done = await send();
  assert.deepEqual([done.status, (await send()).body], [200, done.body]);
  assert.equal(await countOf(vault.database), 2);
});

test("a keyed request that meets a deadlock runs again and writes once; four in a row are answered [decision V20]", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  // The number of the run does not roll back with it.
  const met = (runs: number) => `create or replace function meet() returns trigger language plpgsql as $$
      begin
        if nextval('runs') <= ${runs} then raise exception 'deadlock' using errcode = 'deadlock_detected'; end if;
        return new;
      end $$`;
  await rowsOf(
    vault.database,
    `create sequence runs; ${met(3)};
    create trigger meet before insert on change for each row execute function meet()`,
  );
  const send = (key: string) =>
    askGraphQL(
      vault,
      owner,
      DOCUMENTS.create,
      { input: { ontology: "note", payload: {} } },
      { "idempotency-key": key },
    );
  const done = await send("k");
  assert.deepEqual([done.status, errorCodeOf(done)], [200, undefined]);
  assert.deepEqual([(await send("k")).body, await countOf(vault.database)], [done.body, 1]);
  await rowsOf(vault.database, `alter sequence runs restart; ${met(4)}`);
  assert.equal((await send("other")).status, 503);
  assert.equal((await send("other")).status, 200);
  assert.equal(await countOf(vault.database), 2);
});

/** Makes the keeping of an answer wait for as long as the test holds a lock. */
const WAITING_TRIGGER = `create function wait_there() returns trigger language plpgsql as $$
    begin perform pg_advisory_xact_lock(77); return new; end $$;
  create trigger wait_there before update on idempotent_answer for each row execute function wait_there()`;

test("kill -9 between the writes and their answer leaves nothing written, and the repetition at another process writes once [V-DEC-727]", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  await using victim = await startVaultProcess(vault.database.url);
  await rowsOf(vault.database, WAITING_TRIGGER);
  await vault.database.transaction(async (holder) => {
    await holder.query({ text: "select pg_advisory_xact_lock(77)", values: [] });
    const lost = createWithKey(victim, owner).then(
      () => "answered",
      () => "lost",
    );
    const waiting = "select 1 from pg_locks where locktype = 'advisory' and objid = 77 and not granted";
    while ((await rowsOf(vault.database, waiting)).length === 0) await sleep(10);
    await victim.kill("SIGKILL");
    assert.equal(await lost, "lost");
  });
  const done = await createWithKey(vault, owner);
  assert.deepEqual(done.body.data.createMetaEnvelope.errors, []);
  assert.deepEqual((await createWithKey(vault, owner)).body, done.body);
  assert.deepEqual([await countOf(vault.database), await countOf(vault.database, "change")], [1, 1]);
});
