import assert from "node:assert/strict";
import { test } from "node:test";
import { type Clock, systemClock } from "@dataspace/service-kit/clock";
import { issueWalletToken } from "@dataspace/wallet/issue-wallet-token";
import { createWalletKey, type WalletKey } from "@dataspace/wallet/wallet-key";
import { issueRecoveryCode, sweepRecoveryCodes } from "../src/keys/recovery-codes.ts";
import { ask } from "./support/ask.ts";
import { startVault, type TestVault } from "./support/start-vault.ts";

type KeyRequest = { readonly method: "PATCH" | "DELETE"; readonly publicKey: string; readonly authorization?: string };

function changeKey(vault: TestVault, owner: string, { method, publicKey, authorization }: KeyRequest) {
  const headers = { "content-type": "application/json", "x-ename": owner, ...(authorization ? { authorization } : {}) };
  return ask(vault, "/public-key", { method, headers, body: JSON.stringify({ publicKey }) });
}

async function walletToken(key: WalletKey, ename: string): Promise<string> {
  return `Bearer ${await issueWalletToken({ key, clock: systemClock }, { ename: ename as never, audience: ename })}`;
}

async function ownerWithTwoKeys(vault: TestVault) {
  const [first, second] = [await createWalletKey(), await createWalletKey()];
  const owner = await vault.createOwner(first.publicKey);
  const authorization = await walletToken(first, owner);
  assert.equal(
    (await changeKey(vault, owner, { method: "PATCH", publicKey: second.publicKey, authorization })).status,
    200,
  );
  return { owner, first, second };
}

test("DELETE /public-key removes a key by a wallet token: its certificate and its tokens end at once, and the log keeps it [V-DEC-229] [V-DEC-230] [V-TOK-007] [V-TOK-008] [T-31]", async () => {
  await using vault = await startVault({ auth: "enforced" });
  const { owner, first, second } = await ownerWithTwoKeys(vault);
  const bySecond = await walletToken(second, owner);
  const removed = await changeKey(vault, owner, {
    method: "DELETE",
    publicKey: second.publicKey,
    authorization: await walletToken(first, owner),
  });
  assert.equal(removed.status, 200);
  const { body } = await ask(vault, "/whois", { headers: { "x-ename": owner } });
  assert.equal(body.keyBindingCertificates.length, 1);
  assert.equal((await ask(vault, "/logs", { headers: { "x-ename": owner, authorization: bySecond } })).status, 401);
  const { rows } = await vault.database.query({
    text: "select public_key, added_by, removed_by, removed_at is not null as removed from owner_key order by added_at",
    values: [],
  });
  assert.deepEqual(rows, [
    { public_key: first.publicKey, added_by: "provisioning", removed_by: null, removed: false },
    { public_key: second.publicKey, added_by: owner, removed_by: owner, removed: true },
  ]);
});

test("DELETE of an unknown key is 404, of the last key 409 LAST_KEY, without a wallet token 401, also in header mode [V-DEC-147] [V-DEC-231] [V-DEC-232]", async () => {
  await using vault = await startVault({ auth: "header" });
  const key = await createWalletKey();
  const owner = await vault.createOwner(key.publicKey);
  const service = "Bearer service-token-of-this-test-0123456789";
  const cases: [string, string | undefined, number, string][] = [
    [(await createWalletKey()).publicKey, await walletToken(key, owner), 404, "NOT_FOUND"],
    [key.publicKey, await walletToken(key, owner), 409, "LAST_KEY"],
    ["nonsense", await walletToken(key, owner), 400, "INVALID_PUBLIC_KEY"],
    [key.publicKey, undefined, 401, "UNAUTHENTICATED"],
    [key.publicKey, service, 401, "INVALID_TOKEN"],
  ];
  for (const [publicKey, authorization, status, code] of cases) {
    const answer = await changeKey(vault, owner, {
      method: "DELETE",
      publicKey,
      ...(authorization ? { authorization } : {}),
    });
    assert.deepEqual([answer.status, answer.body.error.code], [status, code]);
  }
});

test("of two parallel removals of the last two keys one is LAST_KEY [V-DEC-232]", async () => {
  await using vault = await startVault();
  const { owner, first, second } = await ownerWithTwoKeys(vault);
  const removals = [first, second].map(async (key) =>
    changeKey(vault, owner, {
      method: "DELETE",
      publicKey: key.publicKey,
      authorization: await walletToken(key, owner),
    }),
  );
  const statuses = (await Promise.all(removals)).map((answer) => answer.status).toSorted();
  assert.ok(statuses[0] === 200 && (statuses[1] === 409 || statuses[1] === 401), String(statuses));
  const { body } = await ask(vault, "/whois", { headers: { "x-ename": owner } });
  assert.equal(body.keyBindingCertificates.length, 1);
});

test("a recovery code adds one key, is stored as its hash alone, and shows in the key log [V-DEC-222] [V-DEC-223] [V-DEC-224] [V-DEC-225]", async () => {
  await using vault = await startVault({ auth: "enforced" });
  const owner = await vault.createOwner((await createWalletKey()).publicKey);
  const code = await issueRecoveryCode({ database: vault.database, clock: systemClock }, owner);
  assert.match(code, /^dsr_[A-Za-z0-9_-]{43}$/);
  const stored = await vault.database.query<{ row: string }>({
    text: "select r::text as row from recovery_code r",
    values: [],
  });
  assert.doesNotMatch(stored.rows[0]!.row, new RegExp(code.slice(4)));
  const authorization = `Bearer ${code}`;
  const { publicKey } = await createWalletKey();
  assert.equal((await changeKey(vault, owner, { method: "PATCH", publicKey, authorization })).status, 200);
  const again = await changeKey(vault, owner, {
    method: "PATCH",
    publicKey: (await createWalletKey()).publicKey,
    authorization,
  });
  assert.deepEqual([again.status, again.body.error.code], [401, "INVALID_TOKEN"]);
  const { rows } = await vault.database.query<{ added_by: string }>({
    text: "select added_by from owner_key order by added_at desc limit 1",
    values: [],
  });
  assert.equal(rows[0]?.added_by, "recovery-code");
});

test("a recovery code is for its owner, for 24 hours, and for PATCH /public-key alone; a refused key does not spend it [V-DEC-223] [V-TOK-012]", async () => {
  await using vault = await startVault({ auth: "enforced" });
  const [owner, other] = [await vault.createOwner((await createWalletKey()).publicKey), await vault.createOwner()];
  const yesterday: Clock = { nowMs: () => Date.now() - 24 * 3_600_000 - 1 };
  const expired = `Bearer ${await issueRecoveryCode({ database: vault.database, clock: yesterday }, owner)}`;
  const good = `Bearer ${await issueRecoveryCode({ database: vault.database, clock: systemClock }, owner)}`;
  const { publicKey } = await createWalletKey();
  assert.equal((await changeKey(vault, owner, { method: "PATCH", publicKey, authorization: expired })).status, 401);
  assert.equal((await changeKey(vault, other, { method: "PATCH", publicKey, authorization: good })).status, 401);
  assert.equal((await ask(vault, "/logs", { headers: { "x-ename": owner, authorization: good } })).status, 401);
  assert.equal((await changeKey(vault, owner, { method: "DELETE", publicKey, authorization: good })).status, 401);
  assert.equal(
    (await changeKey(vault, owner, { method: "PATCH", publicKey: "zNonsense", authorization: good })).status,
    400,
  );
  assert.equal((await changeKey(vault, owner, { method: "PATCH", publicKey, authorization: good })).status, 200);
});

test("of parallel uses of one recovery code exactly one adds a key [V-DEC-224] [T-30]", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner((await createWalletKey()).publicKey);
  const authorization = `Bearer ${await issueRecoveryCode({ database: vault.database, clock: systemClock }, owner)}`;
  const uses = Array.from({ length: 8 }, async () =>
    changeKey(vault, owner, { method: "PATCH", publicKey: (await createWalletKey()).publicKey, authorization }),
  );
  const statuses = (await Promise.all(uses)).map((answer) => answer.status);
  assert.deepEqual(statuses.filter((status) => status === 200).length, 1);
});

test("expired recovery codes are deleted, those in force stay [I6]", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  const yesterday: Clock = { nowMs: () => Date.now() - 24 * 3_600_000 - 1 };
  await issueRecoveryCode({ database: vault.database, clock: yesterday }, owner);
  await issueRecoveryCode({ database: vault.database, clock: systemClock }, owner);
  // The vault's own sweep at its start may have been first.
  await sweepRecoveryCodes({ database: vault.database, clock: systemClock });
  const { rowCount } = await vault.database.query({ text: "select 1 from recovery_code", values: [] });
  assert.equal(rowCount, 1);
});
