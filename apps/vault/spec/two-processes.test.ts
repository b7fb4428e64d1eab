import assert from "node:assert/strict";
import { randomInt, randomUUID } from "node:crypto";
import { test } from "node:test";
import { type EName, parseEName } from "@dataspace/protocol/ename";
import { decodePublicKey } from "@dataspace/protocol/public-key";
import { systemClock } from "@dataspace/service-kit/clock";
import { issueWalletToken } from "@dataspace/wallet/issue-wallet-token";
import { createWalletKey, type WalletKey } from "@dataspace/wallet/wallet-key";
import { createVault } from "../src/store/vault-rows.ts";
import { startModelFleet } from "./model/model-fleet.ts";
import { runModel } from "./model/run-model.ts";
import { ask, askGraphQL } from "./support/ask.ts";
import { create, DOCUMENTS, errorCodeOf } from "./support/operations.ts";
import { patchAtOnce } from "./support/patch-at-once.ts";
import { startVault } from "./support/start-vault.ts";
import { startVaultBeside } from "./support/start-vault-beside.ts";

/** Two vault processes on one database, beside a vault in this process that serves nobody. */
async function startTwo(auth: "header" | "enforced") {
  await using stack = new AsyncDisposableStack();
  const vault = stack.use(await startVault({ auth }));
  const one = stack.use(await startVaultBeside(vault, { auth }));
  const other = stack.use(await startVaultBeside(vault, { auth }));
  assert.equal(new Set([one.pid, other.pid, process.pid]).size, 3);
  const owned = stack.move();
  return { vault, one, other, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

async function bearer(key: WalletKey, owner: EName): Promise<{ readonly authorization: string }> {
  return {
    authorization: `Bearer ${await issueWalletToken({ key, clock: systemClock }, { ename: owner, audience: owner })}`,
  };
}

test("64 clients at two vault processes patch one record at once: every patch is there, versions and events are 1 to n [V-DEC-480] [V-DEC-481] [V-DEC-482]", async () => {
  await using two = await startTwo("header");
  await patchAtOnce({ vaults: [two.one, two.other], vault: two.vault, clients: 64 });
});

test("one wallet token at two processes at once serves one writing request; a preset id is taken once [V-DEC-235] [V-DEC-420] [V-DEC-428]", async () => {
  await using two = await startTwo("enforced");
  const key = await createWalletKey();
  const owner = await two.vault.createOwner(key.publicKey);
  const authorization = await bearer(key, owner);
  const codes = await Promise.all(
    Array.from({ length: 16 }, async (_, n) => {
      const input = { ontology: "note", payload: { n } };
      const { body } = await askGraphQL(n % 2 ? two.one : two.other, owner, DOCUMENTS.create, { input }, authorization);
      return body.data.createMetaEnvelope.errors[0]?.code ?? "written";
    }),
  );
  assert.deepEqual(codes.toSorted(), [...Array(15).fill("TOKEN_SPENT"), "written"]);
  const bulk = `mutation { bulkCreateMetaEnvelopes(inputs: [{id: "same", ontology: "note", payload: {}}]) { successCount } }`;
  const counts = await Promise.all(
    Array.from({ length: 8 }, async (_, n) => {
      const { body } = await askGraphQL(n % 2 ? two.one : two.other, owner, bulk, {}, await bearer(key, owner));
      return body.data.bulkCreateMetaEnvelopes.successCount;
    }),
  );
  assert.equal(
    counts.reduce((sum, count) => sum + count, 0),
    1,
  );
});

test("a key removed or added at one process is so at once at the other, and so is a vault made there [V-DEC-230] [V-TOK-007] [V-TOK-008]", async () => {
  await using two = await startTwo("enforced");
  const [first, second] = [await createWalletKey(), await createWalletKey()];
  const owner = parseEName(randomUUID());
  const logs = (at: { readonly url: string }, headers: { readonly authorization: string }) =>
    ask(at, "/logs", { headers: { "x-ename": owner, ...headers } });
  const unknown = await logs(two.other, { authorization: "Bearer x" });
  assert.deepEqual([unknown.status, unknown.body.error.code], [404, "UNKNOWN_ENAME"]);
  const point = Buffer.from(decodePublicKey(first.publicKey).point).toString("hex");
  const at = new Date().toISOString();
  const vault = { owner, vaultId: `@${randomUUID()}`, publicKey: { text: first.publicKey, point }, at };
  await two.vault.database.transaction((transaction) => createVault(transaction, vault));
  for (const process of [two.other, two.one])
    assert.equal((await logs(process, await bearer(first, owner))).status, 200);
  const change = async (at: { readonly url: string }, method: string, by: WalletKey, key: WalletKey) => {
    const headers = { "content-type": "application/json", "x-ename": owner, ...(await bearer(by, owner)) };
    const { status } = await ask(at, "/public-key", {
      method,
      headers,
      body: JSON.stringify({ publicKey: key.publicKey }),
    });
    return status;
  };
  assert.equal((await logs(two.other, await bearer(second, owner))).status, 401);
  assert.equal(await change(two.one, "PATCH", first, second), 200);
  const bySecond = await bearer(second, owner);
  for (const process of [two.other, two.one]) assert.equal((await logs(process, bySecond)).status, 200);
  assert.equal(await change(two.one, "DELETE", first, second), 200);
  for (const process of [two.other, two.one]) assert.equal((await logs(process, bySecond)).status, 401);
});

test("a cursor of one process goes on at the other, in lists, history and log [V-PAGE-021] [V-PAGE-022] [V-PAGE-024]", async () => {
  await using two = await startTwo("header");
  const owner = await two.vault.createOwner();
  const ids: string[] = [];
  for (let n = 0; n < 5; n += 1) ids.push(await create(n % 2 ? two.one : two.other, owner, { payload: { n } }));
  for (let n = 0; n < 4; n += 1) {
    const input = { ontology: "note", payload: { n } };
    await askGraphQL(n % 2 ? two.one : two.other, owner, DOCUMENTS.update, { id: ids[0], input });
  }
  const found: string[] = [];
  const versions: number[] = [];
  for (let after: string | null = null, n = 0, more = true; more; n += 1) {
    const { body } = await askGraphQL(n % 2 ? two.one : two.other, owner, DOCUMENTS.list, { first: 2, after });
    const { edges, pageInfo } = body.data.metaEnvelopes;
    found.push(...edges.map((edge: { node: { id: string } }) => edge.node.id));
    [after, more] = [pageInfo.endCursor, pageInfo.hasNextPage];
  }
  for (let after: string | null = null, n = 0, more = true; more; n += 1) {
    const { body } = await askGraphQL(n % 2 ? two.one : two.other, owner, DOCUMENTS.history, {
      id: ids[0],
      first: 2,
      after,
    });
    const { edges, pageInfo } = body.data.metaEnvelopeHistory;
    versions.push(...edges.map((edge: { node: { version: number } }) => edge.node.version));
    [after, more] = [pageInfo.endCursor, pageInfo.hasNextPage];
  }
  assert.deepEqual([found.toSorted(), versions], [ids.toSorted(), [5, 4, 3, 2, 1]]);
  const logged: string[] = [];
  for (let cursor = "", n = 0, more = true; more; n += 1) {
    const { body } = await ask(n % 2 ? two.one : two.other, `/logs?limit=4${cursor}`, {
      headers: { "x-ename": owner },
    });
    logged.push(...body.logs.map((entry: { id: string }) => entry.id));
    [cursor, more] = [`&cursor=${encodeURIComponent(body.nextCursor)}`, body.hasMore];
  }
  assert.equal(new Set(logged).size, 9);
  const { body } = await askGraphQL(two.one, owner, DOCUMENTS.list, { first: 1 });
  const altered = `${body.data.metaEnvelopes.pageInfo.endCursor}A`;
  assert.equal(
    errorCodeOf(await askGraphQL(two.other, owner, DOCUMENTS.list, { first: 1, after: altered })),
    "BAD_CURSOR",
  );
});

test("the model holds when each owner's requests go now to one process and now to the other [V-VER-006] [V-DEC-482]", async (t) => {
  const seed = Number(process.env["DS_MODEL_SEED"] ?? randomInt(2 ** 30));
  const operations = Math.ceil(Number(process.env["DS_MODEL_OPERATIONS"] ?? 20_000) / 5);
  await using fleet = await startModelFleet({ processes: 2 });
  const ran = await runModel({ seed, operations, ...fleet });
  t.diagnostic(`${ran.operations} operations of ${ran.owners} owners at two processes, DS_MODEL_SEED=${seed}`);
});
