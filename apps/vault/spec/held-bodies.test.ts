import assert from "node:assert/strict";
import { request } from "node:http";
import { json } from "node:stream/consumers";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { systemClock } from "@dataspace/service-kit/clock";
import { issueWalletToken } from "@dataspace/wallet/issue-wallet-token";
import { createWalletKey } from "@dataspace/wallet/wallet-key";
import { ask, askGraphQL } from "./support/ask.ts";
import { DOCUMENTS } from "./support/operations.ts";
import { createPerson } from "./support/people.ts";
import { startVault, type TestVault } from "./support/start-vault.ts";

const TEXT = JSON.stringify({ query: DOCUMENTS.create, variables: { input: { ontology: "o", payload: { a: 1 } } } });

/** A request whose caller has been identified and whose body is still held back. */
async function holdBack(
  vault: TestVault,
  { method, path, headers }: { method: string; path: string; headers: Readonly<Record<string, string>> },
) {
  const sent = request(`${vault.url}${path}`, { method, headers: { "content-type": "application/json", ...headers } });
  const answered = new Promise<{ status: number; body: { error: { code: string } } }>((resolve, reject) => {
    sent.once("error", reject);
    sent.once("response", async (response) => {
      resolve({ status: response.statusCode ?? 0, body: (await json(response)) as { error: { code: string } } });
    });
  });
  sent.flushHeaders();
  await sleep(200);
  return (text: string) => {
    sent.end(text);
    return answered;
  };
}

async function addKey(vault: TestVault, ename: string, authorization: string) {
  const key = await createWalletKey();
  const headers = { "x-ename": ename, "content-type": "application/json", authorization };
  const body = JSON.stringify({ publicKey: key.publicKey });
  assert.equal((await ask(vault, "/public-key", { method: "PATCH", headers, body })).status, 200);
  return key;
}

async function countOf(vault: TestVault): Promise<unknown> {
  return (await vault.database.query<{ n: number }>({ text: "select count(*) as n from meta_envelope", values: [] }))
    .rows[0]?.n;
}

test("a key that is removed while the body is held back writes nothing: 401, with an Idempotency-Key too [decision V26]", async () => {
  await using vault = await startVault({ auth: "enforced" });
  const person = await createPerson(vault);
  const { ename } = person;
  const second = await addKey(vault, ename, (await person.at(ename))["authorization"] as string);
  const bySecond = async () => {
    const token = await issueWalletToken({ key: second, clock: systemClock }, { ename, audience: ename });
    return { "x-ename": ename, authorization: `Bearer ${token}` };
  };
  const post = { method: "POST", path: "/graphql" };
  const finishes = [
    await holdBack(vault, { ...post, headers: await bySecond() }),
    await holdBack(vault, { ...post, headers: { ...(await bySecond()), "idempotency-key": "k" } }),
  ];
  const finishPatch = await holdBack(vault, { method: "PATCH", path: "/public-key", headers: await bySecond() });
  const removed = await ask(vault, "/public-key", {
    method: "DELETE",
    headers: { "x-ename": ename, "content-type": "application/json", ...(await person.at(ename)) },
    body: JSON.stringify({ publicKey: second.publicKey }),
  });
  assert.equal(removed.status, 200);
  for (const finish of finishes) {
    const { status, body } = await finish(TEXT);
    assert.deepEqual([status, body.error.code], [401, "INVALID_TOKEN"]);
  }
  const { status } = await finishPatch(JSON.stringify({ publicKey: (await createWalletKey()).publicKey }));
  assert.equal(status, 401);
  assert.equal(await countOf(vault), 0);
});

test("a token that expires while the body is held back writes nothing: 401 [decision V26]", async () => {
  let aheadMs = 0;
  await using vault = await startVault({ auth: "enforced" }, { clock: { nowMs: () => Date.now() + aheadMs } });
  const person = await createPerson(vault);
  const headers = { "x-ename": person.ename, ...(await person.at(person.ename)) };
  const finish = await holdBack(vault, { method: "POST", path: "/graphql", headers });
  aheadMs = 20 * 60_000;
  const { status, body } = await finish(TEXT);
  assert.deepEqual([status, body.error.code, await countOf(vault)], [401, "INVALID_TOKEN", 0]);
});

test("a body that is held back and a credential that still holds is served [decision V26]", async () => {
  await using vault = await startVault({ auth: "enforced" });
  const person = await createPerson(vault);
  const headers = { "x-ename": person.ename, ...(await person.at(person.ename)) };
  const finish = await holdBack(vault, { method: "POST", path: "/graphql", headers });
  assert.equal((await finish(TEXT)).status, 200);
  assert.equal(await countOf(vault), 1);
  assert.equal((await askGraphQL(vault, person.ename, "{ metaEnvelopes { totalCount } }")).status, 200);
});
