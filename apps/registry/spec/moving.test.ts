import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { type EName, parseEName } from "@dataspace/protocol/ename";
import { issueWalletToken } from "@dataspace/wallet/issue-wallet-token";
import { createWalletKey } from "@dataspace/wallet/wallet-key";
import { ask, askRefusal } from "./support/ask.ts";
import { SHARED_SECRET, startTestRegistry } from "./support/start-test-registry.ts";

const OWNER = parseEName("5ecf7860-1190-592e-925a-b2c6e0f95ff0");
const secret = { authorization: `Bearer ${SHARED_SECRET}` };
const NEW = "https://new.example";

/** A registry at which an owner is registered, whose vault lists one certificate. */
async function startOwned(t: TestContext, nowMs: () => number = Date.now) {
  const { url } = await startTestRegistry(t, { nowMs });
  const key = await createWalletKey();
  const certified = { ename: OWNER, publicKey: key.publicKey };
  const certificate = await ask<{ token: string }>(`${url}/key-binding-certificate`, {
    body: certified,
    headers: secret,
  });
  const whois = { dsid: OWNER, vaultId: "@v", keyBindingCertificates: [certificate.body.token] };
  const vault = createServer((_request, response) => {
    response.setHeader("content-type", "application/json").end(JSON.stringify(whois));
  });
  await new Promise<void>((resolve) => vault.listen(0, "127.0.0.1", resolve));
  t.after(() => vault.close());
  const uri = `http://127.0.0.1:${(vault.address() as AddressInfo).port}`;
  await ask(`${url}/register`, { body: { ename: OWNER, uri, vault: "@v" }, headers: secret });
  const token = (audience: string, ename: EName = OWNER, by = key) =>
    issueWalletToken({ key: by, clock: { nowMs: Date.now } }, { ename, audience });
  const change = (bearer: string, body: object = { ename: OWNER, uri: NEW }) => ({
    method: "PATCH",
    body,
    headers: { authorization: `Bearer ${bearer}` },
  });
  return { url, token, change, vault };
}

test("an owner changes the address of the vault with a wallet token for the registry's origin, once for each token [V-DEC-683]", async (t) => {
  const { url, token, change } = await startOwned(t);
  const bearer = await token(url);
  const changed = await ask<{ uri: string }>(`${url}/register`, change(bearer));
  assert.deepEqual([changed.status, changed.body.uri], [200, NEW]);
  assert.equal((await ask<{ uri: string }>(`${url}/resolve?dsid=${OWNER}`)).body.uri, NEW);
});

test("another audience, another person, another key, a spent token and another eName change no address [V-DEC-683] [V-DEC-684]", async (t) => {
  const { url, token, change, vault } = await startOwned(t);
  const other = parseEName("11111111-2222-4333-8444-555555555555");
  const at = `${url}/register`;
  assert.equal(await askRefusal(at, change(await token(OWNER))), "401 INVALID_TOKEN");
  assert.equal(await askRefusal(at, change(await token("https://registry.example"))), "401 INVALID_TOKEN");
  assert.equal(await askRefusal(at, change(await token(url, other))), "401 INVALID_TOKEN");
  assert.equal(await askRefusal(at, change(await token(url, OWNER, await createWalletKey()))), "401 INVALID_TOKEN");
  assert.equal(await askRefusal(at, change("nothing")), "401 UNAUTHENTICATED");
  assert.equal(await askRefusal(at, { method: "PATCH", body: { ename: OWNER, uri: NEW } }), "401 UNAUTHENTICATED");
  const foreign = change(await token(url), { ename: other, uri: NEW });
  assert.equal(await askRefusal(at, foreign), "403 FORBIDDEN");
  const bearer = await token(url);
  const withVault = change(await token(url), { ename: OWNER, uri: NEW, vault: "@w" });
  assert.equal(await askRefusal(at, withVault), "403 FORBIDDEN");
  const same = change(bearer, { ename: OWNER, uri: `http://127.0.0.1:${(vault.address() as AddressInfo).port}` });
  assert.equal(await askRefusal(at, same), "200");
  assert.equal(await askRefusal(at, same), "401 TOKEN_SPENT");
  vault.closeAllConnections();
  vault.close();
  assert.equal(await askRefusal(at, change(await token(url))), "503 VAULT_UNAVAILABLE");
});

test("a token that expires while the body is held back changes no address [decision V26] [V-DEC-683]", async (t) => {
  let aheadMs = 0;
  const { url, token } = await startOwned(t, () => Date.now() + aheadMs);
  const before = (await ask<{ uri: string }>(`${url}/resolve?dsid=${OWNER}`)).body.uri;
  const headers = { "content-type": "application/json", authorization: `Bearer ${await token(url)}` };
  const sent = request(`${url}/register`, { method: "PATCH", headers });
  const answered = once(sent, "response") as Promise<[IncomingMessage]>;
  sent.flushHeaders();
  await sleep(300);
  aheadMs = 3_600_000;
  sent.end(JSON.stringify({ ename: OWNER, uri: NEW }));
  const [response] = await answered;
  assert.equal(response.statusCode, 401, await text(response));
  assert.equal((await ask<{ uri: string }>(`${url}/resolve?dsid=${OWNER}`)).body.uri, before);
});
