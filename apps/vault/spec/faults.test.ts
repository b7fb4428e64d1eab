import assert from "node:assert/strict";
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

test("a statement that runs into its time limit is 503 TIMEOUT and writes nothing", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  const answer = await createWhile(vault, owner, "pg_cancel_backend");
  assert.deepEqual([answer.status, errorCodeOf(answer)], [503, "TIMEOUT"]);
  await create(vault, owner, { payload: { still: "serving" } });
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
