import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { askGraphQL } from "./support/ask.ts";
import { create, DOCUMENTS, errorCodeOf } from "./support/operations.ts";
import { startVault, type TestVault } from "./support/start-vault.ts";

const INPUT = { input: { ontology: "o", payload: {} } };

/** Lets a create wait for a lock, and ends its statement the given way once it waits. */
async function createWhile(vault: TestVault, owner: string, end: "pg_cancel_backend" | "pg_terminate_backend") {
  const text = `select ${end}(pid) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  return vault.database.transaction(async (transaction) => {
    await transaction.query({ text: "lock table change in exclusive mode", values: [] });
    const sent = askGraphQL(vault, owner, DOCUMENTS.create, INPUT);
    while ((await vault.database.query({ text, values: [] })).rowCount === 0) await sleep(10);
    return sent;
  });
}

test("a statement that runs into its time limit is 503 TIMEOUT and writes nothing [T-07]", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  const answer = await createWhile(vault, owner, "pg_cancel_backend");
  assert.deepEqual([answer.status, errorCodeOf(answer)], [503, "TIMEOUT"]);
  await create(vault, owner, { payload: { still: "serving" } });
});

/** Sends the head of a request and a byte of its body. */
async function startUpload(url: string, head: string) {
  const { hostname, port } = new URL(url);
  let received = "";
  const socket = connect(Number(port), hostname).on("error", () => {});
  socket.on("data", (chunk) => {
    received += chunk;
  });
  await once(socket, "connect");
  socket.write(head);
  return { socket, refused: () => received.startsWith("HTTP/1.1 503") };
}

test("eight large bodies are read at a time: a ninth is 503 BUSY with Retry-After, small ones are served, and places come free [T-12]", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  const head = `POST /graphql HTTP/1.1\r\nHost: 127.0.0.1\r\nX-ENAME: ${owner}\r\nContent-Type: application/json\r\nContent-Length: 2000000\r\n\r\n{`;
  const slow = await Promise.all(Array.from({ length: 16 }, () => startUpload(vault.url, head)));
  const input = { ontology: "o", payload: { a: "x".repeat(1_048_000) }, acl: Array(100).fill("*") };
  const large = () => askGraphQL(vault, owner, DOCUMENTS.create, { input });
  // Half of them are refused, which shows that the other half are being read.
  while (slow.filter(({ refused }) => refused()).length < 8) await sleep(10);
  let answer = await large();
  assert.deepEqual([answer.body.error.code, answer.headers.get("retry-after")], ["BUSY", "1"]);
  await create(vault, owner, { payload: { small: true } });
  for (const { socket } of slow) socket.destroy();
  while (answer.status === 503) answer = await large();
  assert.equal(answer.status, 200);
});

test("bodies of 32 MiB together are read at a time: beside two of 16 MiB a third large one is 503 BUSY, whether they tell their length or not [T-12]", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  const line = `POST /graphql HTTP/1.1\r\nHost: 127.0.0.1\r\nX-ENAME: ${owner}\r\nContent-Type: application/json\r\n`;
  const input = { ontology: "o", payload: { a: "x".repeat(1_048_000) }, acl: Array(100).fill("*") };
  for (const length of [`Content-Length: ${16 * 1_048_576}\r\n\r\n{`, "Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n"]) {
    const slow = await Promise.all([1, 2, 3].map(() => startUpload(vault.url, line + length)));
    while (!slow.some(({ refused }) => refused())) await sleep(10);
    assert.equal((await askGraphQL(vault, owner, DOCUMENTS.create, { input })).body.error.code, "BUSY");
    await create(vault, owner, { payload: { small: true } });
    for (const { socket } of slow) socket.destroy();
    let status = 503;
    while (status === 503) status = (await askGraphQL(vault, owner, DOCUMENTS.create, { input })).status;
    assert.equal(status, 200);
  }
});

test("a storage that breaks off is 503 STORAGE_UNAVAILABLE, and the next request is served", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  const answer = await createWhile(vault, owner, "pg_terminate_backend");
  assert.deepEqual([answer.status, errorCodeOf(answer)], [503, "STORAGE_UNAVAILABLE"]);
  await create(vault, owner, { payload: { still: "serving" } });
});

test("a storage without space is 503 STORAGE_FULL, reads go on, and writes go on once there is space", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  const id = await create(vault, owner, { payload: { a: 1 } });
  const full = `create function no_space() returns trigger language plpgsql as $$
      begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$;
    create trigger no_space before insert on change execute function no_space()`;
  await vault.database.query({ text: full, values: [] });
  const answer = await askGraphQL(vault, owner, DOCUMENTS.create, INPUT);
  assert.deepEqual([answer.status, errorCodeOf(answer)], [503, "STORAGE_FULL"]);
  assert.equal((await askGraphQL(vault, owner, DOCUMENTS.read, { id })).body.data.metaEnvelope.id, id);
  await vault.database.query({ text: "drop trigger no_space on change", values: [] });
  await create(vault, owner, { payload: { a: 2 } });
});
