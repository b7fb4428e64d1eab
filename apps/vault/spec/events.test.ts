import assert from "node:assert/strict";
import { test } from "node:test";
import { systemClock } from "@dataspace/service-kit/clock";
import { issueWalletToken } from "@dataspace/wallet/issue-wallet-token";
import { createWalletKey } from "@dataspace/wallet/wallet-key";
import { ask, askGraphQL } from "./support/ask.ts";
import { create, DOCUMENTS } from "./support/operations.ts";
import { startVault, type TestVault } from "./support/start-vault.ts";

interface EventRow {
  readonly stream_id: string;
  readonly stream_version: number;
  readonly body: string;
  readonly requesting_platform: string | null;
  readonly policy: string;
}

async function events(vault: TestVault): Promise<readonly EventRow[]> {
  const { rows } = await vault.database.query<EventRow>({
    text: "select * from change_event order by stream_id, stream_version",
    values: [],
  });
  return rows;
}

test("every create, update and removal has one event with exactly the webhook's fields, in the spec's order [V-SVC-013] [V-SVC-014] [V-SVC-015] [V-EVT-001] [V-EVT-002] [V-EVT-003] [V-WH-001] [V-WH-002] [V-WH-003] [V-WH-004] [V-WH-005] [V-WH-007] [V-WH-008] [V-WH-009] [V-WH-010] [V-DEC-504] [V-STATE-007] [V-STATE-011] [V-STATE-017] [V-EVT-160]", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  const id = await create(vault, owner, { ontology: "one", payload: { 'k"ey': "v\\al", n: 1 } });
  await askGraphQL(vault, owner, DOCUMENTS.update, { id, input: { ontology: "two", payload: { n: 2 } } });
  await askGraphQL(vault, owner, DOCUMENTS.remove, { id });
  const bodies = (await events(vault)).map((row) => JSON.parse(row.body));
  for (const body of bodies) {
    assert.deepEqual(Object.keys(body), [
      "eventId",
      "id",
      "dsid",
      "schemaId",
      "data",
      "vaultPublicKey",
      "operation",
      "streamVersion",
      "occurredAt",
    ]);
    assert.match(body.eventId, /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/);
    assert.match(body.occurredAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assert.deepEqual([body.id, body.dsid], [id, owner]);
  }
  assert.equal(new Set(bodies.map((body) => body.eventId)).size, 3);
  assert.deepEqual(
    bodies.map((body) => [body.operation, body.streamVersion, body.schemaId, body.data]),
    [
      ["create", 1, "one", { 'k"ey': "v\\al", n: 1 }],
      ["update", 2, "two", { 'k"ey': "v\\al", n: 2 }],
      ["delete", 3, "two", {}],
    ],
  );
});

test("vaultPublicKey is the owner's oldest key in force, verbatim, and null for a keyless vault [V-WH-006] [decision E3] [V-EVT-162] [V-EVT-163]", async () => {
  await using vault = await startVault();
  const [first, second] = [await createWalletKey(), await createWalletKey()];
  const [keyed, keyless] = [await vault.createOwner(first.publicKey), await vault.createOwner()];
  const keyOf = async (owner: string): Promise<string | null> => {
    const id = await create(vault, owner, { payload: {} });
    return JSON.parse((await events(vault)).find((row) => row.stream_id === id)!.body).vaultPublicKey;
  };
  assert.equal(await keyOf(keyless), null);
  const changeKey = async (method: string, publicKey: string): Promise<void> => {
    const token = await issueWalletToken({ key: first, clock: systemClock }, { ename: keyed, audience: keyed });
    const headers = { "content-type": "application/json", "x-ename": keyed, authorization: `Bearer ${token}` };
    const answer = await ask(vault, "/public-key", { method, headers, body: JSON.stringify({ publicKey }) });
    assert.equal(answer.status, 200);
  };
  await changeKey("PATCH", second.publicKey);
  assert.equal(await keyOf(keyed), first.publicKey);
  await changeKey("DELETE", first.publicKey);
  assert.equal(await keyOf(keyed), second.publicKey);
});

test("the policy in force lies beside the event, never in its body [decision E4]", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  await create(vault, owner, { payload: { a: 1 }, acl: ["*"] });
  const [event] = await events(vault);
  assert.deepEqual(JSON.parse(event!.policy), { acl: ["*"], _acl: null });
  assert.doesNotMatch(event!.body, /acl/);
});

test("a stream has one lane, due at once, whose tail is its newest version [V-DEC-480] [decision E1]", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  const id = await create(vault, owner, { payload: { a: 1 } });
  await askGraphQL(vault, owner, DOCUMENTS.update, { id, input: { ontology: "note", payload: { a: 2 } } });
  const { rows } = await vault.database.query({
    text: "select owner, stream_id, tail_version, done_version, next_at <= now() as due, attempts from outbox_lane",
    values: [],
  });
  assert.deepEqual(rows, [{ owner, stream_id: id, tail_version: 2, done_version: 0, due: true, attempts: 0 }]);
});

test("a write that fails in the database leaves no record, version, event or count behind [V-EVT-004] [V-DEC-480]", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  await vault.database.query({
    text: "alter table change_event add constraint full_up check (stream_version > 1)",
    values: [],
  });
  const { status } = await askGraphQL(vault, owner, DOCUMENTS.create, { input: { ontology: "o", payload: {} } });
  assert.equal(status, 200);
  for (const table of ["meta_envelope", "change", "change_event", "outbox_lane", "record_count"]) {
    const { rows } = await vault.database.query<{ n: number }>({
      text: `select count(*) as n from ${table}`,
      values: [],
    });
    assert.equal(rows[0]?.n, 0, table);
  }
});
