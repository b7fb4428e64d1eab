import assert from "node:assert/strict";
import { test } from "node:test";
import { encodeHex } from "@dataspace/protocol/hex";
import { decodePublicKey, pointToSpki } from "@dataspace/protocol/public-key";
import { systemClock } from "@dataspace/service-kit/clock";
import { issueWalletToken } from "@dataspace/wallet/issue-wallet-token";
import { createWalletKey, type WalletKey } from "@dataspace/wallet/wallet-key";
import { ask } from "./support/ask.ts";
import { startVault, type TestVault } from "./support/start-vault.ts";

const SERVICE_TOKEN = "Bearer service-token-of-this-test-0123456789";

function whois(vault: TestVault, owner: string, method = "GET") {
  return ask(vault, "/whois", { method, headers: { "x-ename": owner } });
}

function addKey(vault: TestVault, owner: string, publicKey: unknown, authorization: string | undefined) {
  return ask(vault, "/public-key", {
    method: "PATCH",
    headers: {
      "content-type": "application/json",
      "x-ename": owner,
      ...(authorization === undefined ? {} : { authorization }),
    },
    body: JSON.stringify({ publicKey }),
  });
}

async function walletToken(key: WalletKey, ename: string, audience = ename): Promise<string> {
  return `Bearer ${await issueWalletToken({ key, clock: systemClock }, { ename: ename as never, audience })}`;
}

const certifiedKeys = async (vault: TestVault, owner: string): Promise<string[]> =>
  (await whois(vault, owner)).body.keyBindingCertificates.map(
    (token: string) => JSON.parse(Buffer.from(token.split(".")[1]!, "base64url").toString()).publicKey,
  );

test("GET /whois has exactly dsid, vaultId and keyBindingCertificates, and ignores a bearer [V-HTTP-001] [V-HTTP-002] [V-HTTP-003] [V-HTTP-005] [V-DEC-002] [V-DEC-364] [V-SVC-018] [V-DEC-644]", async () => {
  await using vault = await startVault({ auth: "enforced" });
  const { publicKey } = await createWalletKey();
  const owner = await vault.createOwner(publicKey);
  const { status, body } = await ask(vault, "/whois", {
    headers: { "x-ename": owner, authorization: "Bearer nonsense" },
  });
  assert.equal(status, 200);
  assert.deepEqual(Object.keys(body), ["dsid", "vaultId", "keyBindingCertificates"]);
  assert.equal(body.dsid, owner);
  assert.match(body.vaultId, /^@/);
  assert.deepEqual(await certifiedKeys(vault, owner), [publicKey]);
});

test("a keyless vault has no certificates and asks for none [V-HTTP-005]", async () => {
  await using vault = await startVault();
  assert.deepEqual((await whois(vault, await vault.createOwner())).body.keyBindingCertificates, []);
  assert.equal(vault.registry.certificatesAsked, 0);
});

test("HEAD /whois is 200 for a known eName, 404 for an unknown one, and asks the registry nothing [V-HTTP-007] [V-DEC-640]", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner((await createWalletKey()).publicKey);
  assert.equal((await whois(vault, owner, "HEAD")).status, 200);
  assert.equal((await whois(vault, "@00000000-0000-4000-8000-000000000000", "HEAD")).status, 404);
  assert.equal(vault.registry.certificatesAsked, 0);
});

test("a thousand callers share one request for a certificate; it is cached, and served while the registry is down [V-KBC-009] [V-DEC-642] [V-DEC-643] [T-33]", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner((await createWalletKey()).publicKey);
  await Promise.all(Array.from({ length: 200 }, () => whois(vault, owner)));
  assert.equal(vault.registry.certificatesAsked, 1);
  vault.registry.down = true;
  assert.equal((await certifiedKeys(vault, owner)).length, 1);
});

test("while the registry is down, a key without a certificate is left out and /whois still answers [T-33]", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner((await createWalletKey()).publicKey);
  vault.registry.down = true;
  const { status, body } = await whois(vault, owner);
  assert.deepEqual([status, body.keyBindingCertificates], [200, []]);
  vault.registry.down = false;
  assert.equal((await certifiedKeys(vault, owner)).length, 1);
});

test("PATCH /public-key stores a second key by a wallet token of a key in force, and the first stays valid [V-HTTP-014] [V-HTTP-015] [V-HTTP-016] [V-HTTP-017] [V-KEY-003] [V-DEC-220] [V-ERR-005] [V-SVC-017] [V-KEY-004] [V-KEY-005]", async () => {
  await using vault = await startVault({ auth: "enforced" });
  const [first, second] = [await createWalletKey(), await createWalletKey()];
  const owner = await vault.createOwner(first.publicKey);
  const { status, body } = await addKey(vault, owner, second.publicKey, await walletToken(first, owner));
  assert.deepEqual([status, body.success], [200, true]);
  assert.deepEqual(await certifiedKeys(vault, owner), [first.publicKey, second.publicKey]);
  for (const key of [first, second]) {
    const headers = { "x-ename": owner, authorization: await walletToken(key, owner) };
    assert.equal((await ask(vault, "/logs", { headers })).status, 200);
  }
});

test("PATCH /public-key by the service token gives a keyless vault its first key, and no second [V-DEC-221]", async () => {
  await using vault = await startVault();
  const [first, second] = [await createWalletKey(), await createWalletKey()];
  const owner = await vault.createOwner();
  assert.equal((await addKey(vault, owner, first.publicKey, SERVICE_TOKEN)).status, 200);
  const again = await addKey(vault, owner, second.publicKey, SERVICE_TOKEN);
  assert.deepEqual([again.status, again.body.error.code], [401, "INVALID_TOKEN"]);
  assert.deepEqual(await certifiedKeys(vault, owner), [first.publicKey]);
});

test("PATCH /public-key is 401 without a token, with another's, with a platform token and with a foreign key, also in header mode [V-AUTH-006] [V-ERR-003] [V-ERR-004] [V-DEC-147] [V-DEC-226] [T-30]", async () => {
  await using vault = await startVault({ auth: "header" });
  const [key, other] = [await createWalletKey(), await createWalletKey()];
  const [owner, stranger] = [await vault.createOwner(key.publicKey), await vault.createOwner(other.publicKey)];
  const iat = Math.floor(Date.now() / 1000);
  const platform = `Bearer ${vault.signAsRegistry({ platform: "https://p.example", iat, exp: iat + 60 })}`;
  const refused: [string | undefined, string][] = [
    [undefined, "UNAUTHENTICATED"],
    ["Bearer wrong-service-token-of-this-test-0123456789", "INVALID_TOKEN"],
    [platform, "INVALID_TOKEN"],
    [await walletToken(other, owner), "INVALID_TOKEN"],
    [await walletToken(other, stranger, owner), "INVALID_TOKEN"],
  ];
  for (const [authorization, code] of refused) {
    const { status, body } = await addKey(vault, owner, "not even a key", authorization);
    assert.deepEqual([status, body.error.code], [401, code]);
  }
  assert.deepEqual(await certifiedKeys(vault, owner), [key.publicKey]);
});

for (const [what, publicKey] of [
  ["no publicKey", undefined],
  ["a number", 1],
  ["an empty text", ""],
  ["text without z", "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE"],
  ["z alone", "z"],
  ["z and nonsense", "zNotAKeyAtAll0OIl"],
  ["a zero key", `0x${"0".repeat(40)}`],
  ["a key of another curve", "zQ3shokFTS3brHcDQrn82RUDfCZESWL1ZdCEJwekUDPQiYBme"],
] as const) {
  test(`PATCH /public-key with ${what} is 400 INVALID_PUBLIC_KEY [V-ERR-002] [V-DEC-227]`, async () => {
    await using vault = await startVault();
    const { status, body } = await addKey(vault, await vault.createOwner(), publicKey, SERVICE_TOKEN);
    assert.deepEqual([status, body.error.code], [400, "INVALID_PUBLIC_KEY"]);
  });
}

test("the same point in another spelling is 200 and no second key; the text is certified verbatim [V-DEC-228] [V-DEC-701] [V-DEC-286] [V-DEC-288]", async () => {
  await using vault = await startVault();
  const key = await createWalletKey();
  const inHex = `z${encodeHex(pointToSpki(decodePublicKey(key.publicKey).point))}`;
  const owner = await vault.createOwner(inHex);
  assert.equal((await addKey(vault, owner, key.publicKey, await walletToken(key, owner))).status, 200);
  assert.deepEqual(await certifiedKeys(vault, owner), [inHex]);
});

test("a twenty-first key is 409 TOO_MANY_KEYS, also when many are added at once [V-DEC-233]", async () => {
  await using vault = await startVault();
  const first = await createWalletKey();
  const owner = await vault.createOwner(first.publicKey);
  const adds = Array.from({ length: 24 }, async () =>
    addKey(vault, owner, (await createWalletKey()).publicKey, await walletToken(first, owner)),
  );
  const statuses = (await Promise.all(adds)).map((answer) => answer.status);
  assert.equal(statuses.filter((status) => status === 200).length, 19);
  assert.equal(statuses.filter((status) => status === 409).length, 5);
  const last = await addKey(vault, owner, (await createWalletKey()).publicKey, await walletToken(first, owner));
  assert.equal(last.body.error.code, "TOO_MANY_KEYS");
});

test("a wallet token adds one key and no second: TOKEN_SPENT is 401 on plain HTTP [V-DEC-236] [V-DEC-238]", async () => {
  await using vault = await startVault();
  const first = await createWalletKey();
  const owner = await vault.createOwner(first.publicKey);
  const token = await walletToken(first, owner);
  assert.equal((await addKey(vault, owner, (await createWalletKey()).publicKey, token)).status, 200);
  const { status, body } = await addKey(vault, owner, (await createWalletKey()).publicKey, token);
  assert.deepEqual([status, body.error.code], [401, "TOKEN_SPENT"]);
});
