import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import { verifyArchive } from "../src/leaving/verify-archive.ts";
import { ask, askGraphQL } from "./support/ask.ts";
import { upload } from "./support/file-requests.ts";
import { create, DOCUMENTS, refusalOf } from "./support/operations.ts";
import { createPerson, type Person, platformHeaders } from "./support/people.ts";
import { startVault, type TestVault } from "./support/start-vault.ts";

/** Sends a request as the owner, with a fresh wallet token. */
async function asOwner(vault: TestVault, person: Person, [method, path]: readonly [string, string], body: unknown) {
  const headers = { "x-ename": person.ename, "content-type": "application/json", ...(await person.at(vault.url)) };
  return ask(vault, path, { method, headers, body: JSON.stringify(body) });
}

async function exportOf(vault: TestVault, person: Person): Promise<Buffer> {
  const headers = { "x-ename": person.ename, ...(await person.at(vault.url)) };
  const response = await fetch(`${vault.url}/export`, { headers });
  assert.deepEqual([response.status, response.headers.get("content-type")], [200, "application/gzip"]);
  return Buffer.from(await response.arrayBuffer());
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

/** Every table of the database that has the text in any column, as JSON or as bytes. */
async function tablesWith(vault: TestVault, canary: string): Promise<readonly string[]> {
  const { rows } = await vault.database.query<{ name: string }>({
    text: "select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'",
    values: [],
  });
  const found: string[] = [];
  for (const { name } of rows) {
    const text = `select 1 from "${name}" t where to_json(t)::text like '%' || $1 || '%' limit 1`;
    if ((await vault.database.query({ text, values: [canary] })).rowCount > 0) found.push(name);
  }
  return found;
}

const filesUnder = async (directory: string) =>
  (await readdir(directory, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

test("only the owner's wallet token exports a vault, not header mode, a stranger or a platform [V-DEC-687]", async () => {
  await using vault = await startVault();
  const [owner, stranger] = [await createPerson(vault), await createPerson(vault)];
  await create(vault, owner.ename, { payload: { title: "mine" } });
  const archive = await exportOf(vault, owner);
  const verified = await verifyArchive(once(archive), { owner: owner.ename });
  assert.equal(verified.manifest.kinds.record.count, 1);
  const refusedAs = async (headers: Readonly<Record<string, string>>) => {
    const { status, body } = await ask(vault, "/export", { headers: { "x-ename": owner.ename, ...headers } });
    return [status, body.error.code];
  };
  assert.deepEqual(await refusedAs({}), [401, "UNAUTHENTICATED"]);
  assert.deepEqual(await refusedAs(await stranger.at(vault.url)), [403, "FORBIDDEN"]);
  // What a platform or another host may hold: a token for the owner's vault wherever it is, and one for another place.
  assert.deepEqual(await refusedAs(await owner.at(owner.ename)), [401, "INVALID_TOKEN"]);
  assert.deepEqual(await refusedAs(await owner.at("http://127.0.0.1:1")), [401, "INVALID_TOKEN"]);
  assert.deepEqual(await refusedAs(platformHeaders(vault)), [401, "INVALID_TOKEN"]);
  assert.deepEqual(await refusedAs({ authorization: "Bearer nothing" }), [401, "INVALID_TOKEN"]);
});

/** How many transactions wait for their clients. */
async function idleTransactions(vault: TestVault): Promise<number> {
  const text = `select count(*)::int as n from pg_stat_activity
    where datname = current_database() and state = 'idle in transaction'`;
  return (await vault.database.query<{ n: number }>({ text, values: [] })).rows[0]!.n;
}

/** Begins an export, reads its first part, and waits until what is on its way fills every buffer. */
async function stallExport(vault: TestVault, person: Person): Promise<AbortController> {
  const leaving = new AbortController();
  const headers = { "x-ename": person.ename, ...(await person.at(vault.url)) };
  const response = await fetch(`${vault.url}/export`, { headers, signal: leaving.signal });
  await response.body!.getReader().read();
  await sleep(500);
  return leaving;
}

test("a reader of an export who leaves holds no transaction, and an owner has one export at a time [decision V25]", async () => {
  await using vault = await startVault();
  const person = await createPerson(vault);
  for (let n = 0; n < 24; n += 1)
    await create(vault, person.ename, { payload: { text: randomBytes(600_000).toString("base64") } });
  for (let n = 0; n < 3; n += 1) {
    const leaving = await stallExport(vault, person);
    assert.equal(await idleTransactions(vault), 1);
    leaving.abort();
    for (let tries = 0; tries < 100 && (await idleTransactions(vault)) > 0; tries += 1) await sleep(50);
    assert.equal(await idleTransactions(vault), 0);
  }
  assert.ok((await exportOf(vault, person)).length > 10_000_000);
});

test("no transaction is open while the files of an export are read and sent [V-DEC-680] [decision V26]", async () => {
  await using vault = await startVault();
  const person = await createPerson(vault);
  for (let n = 0; n < 4; n += 1)
    await upload(vault, person.ename, { content: randomBytes(5_000_000).toString("base64") });
  const leaving = await stallExport(vault, person);
  assert.equal(await idleTransactions(vault), 0);
  leaving.abort();
  assert.ok((await exportOf(vault, person)).length > 10_000_000);
});

test("erase destroys payloads in every table and every file, and keeps versions, hashes and a delete event [V-DEC-685] [V-DEC-686]", async () => {
  await using vault = await startVault();
  const person = await createPerson(vault);
  const owner = person.ename;
  const canary = `canary${randomBytes(12).toString("hex")}`;
  const id = await create(vault, owner, { payload: { title: canary } });
  await askGraphQL(vault, owner, DOCUMENTS.update, {
    id,
    input: { ontology: "note", payload: { more: `${canary} 2` } },
  });
  const gone = await create(vault, owner, { payload: { title: canary }, acl: ["*"] });
  await askGraphQL(vault, owner, DOCUMENTS.remove, { id: gone });
  await upload(vault, owner, { content: Buffer.from(canary).toString("base64"), filename: `${canary}.txt` });
  const hashes = "select record_id, version, encode(envelope_hash, 'hex') as hash from change order by 1, 2";
  const before = (await vault.database.query<{ version: number }>({ text: hashes, values: [] })).rows;
  assert.ok((await tablesWith(vault, canary)).length >= 3);
  const wrong = await asOwner(vault, person, ["POST", "/erase"], { confirm: "@other" });
  assert.deepEqual([wrong.status, wrong.body.error.code], [400, "BAD_USER_INPUT"]);
  const { status, body } = await asOwner(vault, person, ["POST", "/erase"], { confirm: owner });
  assert.deepEqual([status, body], [200, { erased: 3, next: null }]);
  assert.deepEqual(await tablesWith(vault, canary), []);
  for (const file of await filesUnder(vault.filesDirectory)) assert.ok(!(await readFile(file)).includes(canary), file);
  const after = (await vault.database.query<{ version: number }>({ text: hashes, values: [] })).rows;
  for (const row of before)
    assert.deepEqual(
      after.find((other) => JSON.stringify(other) === JSON.stringify(row)),
      row,
    );
  assert.equal(after.length, before.length + 2);
  const rollback =
    "mutation ($id: ID!) { rollbackMetaEnvelope(id: $id, version: 1) { errors { field message code } } }";
  assert.equal(refusalOf(await askGraphQL(vault, owner, rollback, { id })).code, "VERSION_ERASED");
  const events = (await vault.database.query<{ body: string }>({ text: "select body from change_event", values: [] }))
    .rows;
  assert.equal(events.length, 3);
  for (const { body: text } of events) assert.deepEqual(JSON.parse(text).data, {});
  const again = await asOwner(vault, person, ["POST", "/erase"], { confirm: owner });
  assert.deepEqual([again.status, again.body.erased], [200, 3]);
  assert.equal((await vault.database.query({ text: hashes, values: [] })).rowCount, after.length);
  const exported = gunzipSync(await exportOf(vault, person)).toString();
  assert.ok(!exported.includes(canary));
});
