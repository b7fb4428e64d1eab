import assert from "node:assert/strict";
import type { EName } from "@dataspace/protocol/ename";
import { ask, askGraphQL } from "./ask.ts";
import { create, DOCUMENTS } from "./operations.ts";
import type { TestVault } from "./start-vault.ts";

/** Clients that patch one record at once, spread over vaults on one database. */
export interface PatchesAtOnce {
  readonly vaults: readonly { readonly url: string }[];
  readonly vault: Pick<TestVault, "createOwner" | "database">;
  readonly clients: number;
}

/**
 * Lets each client patch its own field at the same time, then checks that nothing was lost. All fields are there,
 * versions and events are 1 to n, and each step of the history adds exactly one client's field.
 */
export async function patchAtOnce({ vaults, vault, clients }: PatchesAtOnce): Promise<void> {
  const owner = await vault.createOwner();
  const id = await create(vaults[0]!, owner, { payload: { start: true } });
  const fields = Array.from({ length: clients }, (_, n) => `f${n}`);
  const answers = await Promise.all(
    fields.map((field, n) => {
      const input = { ontology: "note", payload: { [field]: n } };
      return askGraphQL(vaults[n % vaults.length]!, owner, DOCUMENTS.update, { id, input });
    }),
  );
  for (const [n, { body }] of answers.entries()) {
    assert.deepEqual(body.data.updateMetaEnvelope.errors, []);
    assert.equal(body.data.updateMetaEnvelope.metaEnvelope.parsed[`f${n}`], n);
  }
  const whole = { start: true, ...Object.fromEntries(fields.map((field, n) => [field, n])) };
  for (const one of vaults) {
    const { body } = await askGraphQL(one, owner, DOCUMENTS.read, { id });
    assert.deepEqual(body.data.metaEnvelope.parsed, whole);
  }
  await assertSteps(vaults.at(-1)!, { owner, id, clients });
  const { rows } = await vault.database.query<{ version: number; body: string }>({
    text: "select stream_version as version, body from change_event where owner = $1 and stream_id = $2 order by 1",
    values: [owner, id],
  });
  const bodies = rows.map(({ body }) => JSON.parse(body));
  assert.deepEqual(
    bodies.map(({ streamVersion, data }) => [streamVersion, Object.keys(data).length]),
    Array.from({ length: clients + 1 }, (_, n) => [n + 1, n + 1]),
  );
}

async function assertSteps(
  vault: { readonly url: string },
  { owner, id, clients }: { readonly owner: EName; readonly id: string; readonly clients: number },
): Promise<void> {
  const history = await askGraphQL(vault, owner, DOCUMENTS.history, { id, first: 100 });
  const nodes = history.body.data.metaEnvelopeHistory.edges.map(
    (edge: { node: { version: number; parsed: object } }) => edge.node,
  );
  const oldestFirst = nodes.toReversed();
  assert.equal(oldestFirst.length, clients + 1);
  for (const [n, { version, parsed }] of oldestFirst.entries()) {
    assert.equal(version, n + 1);
    assert.equal(Object.keys(parsed).length, n + 1);
    if (n > 0) assert.deepEqual({ ...parsed, ...oldestFirst[n - 1].parsed }, parsed);
  }
  const { body } = await ask(vault, "/logs?limit=100", { headers: { "x-ename": owner } });
  assert.equal(body.logs.length, clients + 1);
}
