import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { ask, askGraphQL } from "./support/ask.ts";
import { DOCUMENTS } from "./support/operations.ts";
import { startVault, type TestVault } from "./support/start-vault.ts";

/** Puts a record into the store as it was before there were versions. */
async function insertUnversioned(vault: TestVault, owner: string): Promise<string> {
  const id = randomUUID();
  await vault.database.query({
    text: `insert into meta_envelope (owner, id, ontology, payload, version, credential, ord, search)
      values ($1, $2, 'note', '{"old":true,"n":1}', 0, 'unknown', 1, '')`,
    values: [owner, id],
  });
  return id;
}

async function history(vault: TestVault, owner: string, id: string) {
  const { body } = await askGraphQL(vault, owner, DOCUMENTS.history, { id });
  const { edges, totalCount } = body.data.metaEnvelopeHistory;
  const nodes = edges.map(({ node }: { node: Record<string, unknown> }) => node);
  return { totalCount, nodes };
}

test("a record from before versioning gets its baseline at its first later write: how it was, by nobody known, and no event [V-VER-019] [V-VER-020] [V-VER-021] [V-VER-022] [V-DEC-487]", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  const author = `@${randomUUID()}`;
  const id = await insertUnversioned(vault, owner);
  assert.deepEqual(await history(vault, owner, id), { totalCount: 0, nodes: [] });
  const headers = { "x-on-behalf-of": author };
  await askGraphQL(vault, owner, DOCUMENTS.update, { id, input: { ontology: "memo", payload: { n: 2 } } }, headers);
  const { totalCount, nodes } = await history(vault, owner, id);
  assert.equal(totalCount, 2);
  const [second, first] = nodes;
  assert.deepEqual(
    [first.version, first.operation, first.ontology, first.parsed, first.requestingPlatform, first.author],
    [1, "create", "note", { old: true, n: 1 }, null, null],
  );
  assert.deepEqual(
    [second.version, second.operation, second.ontology, second.parsed, second.author],
    [2, "update", "memo", { old: true, n: 2 }, author],
  );
  const events = await vault.database.query<{ stream_version: number }>({
    text: "select stream_version from change_event where owner = $1 order by 1",
    values: [owner],
  });
  assert.deepEqual(events.rows, [{ stream_version: 2 }]);
  const { logs } = (await ask(vault, "/logs", { headers: { "x-ename": owner } })).body;
  assert.deepEqual(
    logs.map(({ operation }: { operation: string }) => operation),
    ["update"],
    "the baseline is history, not an operation",
  );
});

test("a removal can be a record's first versioned write, and a rollback goes back to its baseline [V-VER-019] [V-VER-020]", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  const id = await insertUnversioned(vault, owner);
  await askGraphQL(vault, owner, DOCUMENTS.remove, { id });
  const rollback = `mutation ($id: ID!) { rollbackMetaEnvelope(id: $id, version: 1) {
    metaEnvelope { parsed ontology } version restoredFromVersion errors { code } } }`;
  const { body } = await askGraphQL(vault, owner, rollback, { id });
  assert.deepEqual(body.data.rollbackMetaEnvelope, {
    metaEnvelope: { parsed: { old: true, n: 1 }, ontology: "note" },
    version: 3,
    restoredFromVersion: 1,
    errors: [],
  });
});
