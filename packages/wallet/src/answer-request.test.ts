import assert from "node:assert/strict";
import { createPublicKey, verify } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { parseEName } from "@dataspace/protocol/ename";
import { decodePublicKey, pointToSpki } from "@dataspace/protocol/public-key";
import { type SignatureEncoding, verifySignature } from "@dataspace/protocol/signature";
import { makeAuthUri } from "@dataspace/protocol/wallet-uri";
import { answerSignRequest, authenticate, makeLoginLink } from "./answer-request.ts";
import type { Exchange } from "./exchange.ts";
import { createNodeCryptoKey } from "./node-crypto-key.ts";
import { type AuthRequest, parseWalletUri, type SignRequest } from "./parse-wallet-uri.ts";
import type { WalletKey } from "./wallet-key.ts";

const ENAME = parseEName("@11111111-2222-4333-8444-555555555555");
const SESSION = "f0e1d2c3-b4a5-4678-89ab-cdef01234567";
const key = createNodeCryptoKey();
const ada = { ename: ENAME, key };

interface Platform extends AsyncDisposable {
  readonly url: string;
  readonly received: { readonly path: string; readonly type: string | undefined; readonly body: unknown }[];
}

/** A platform that records what is posted to it, and always gives the same answer. */
async function startPlatform(status = 200, answer = "", headers: Record<string, string> = {}): Promise<Platform> {
  const received: Platform["received"] = [];
  const server = createServer(async (request, response) => {
    const text = (await request.toArray()).join("");
    received.push({
      path: `${request.method} ${request.url}`,
      type: request.headers["content-type"],
      body: JSON.parse(text),
    });
    response.writeHead(status, headers).end(answer);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const close = async () => {
    server.closeAllConnections();
    await once(server.close(), "close");
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received, [Symbol.asyncDispose]: close };
}

function authAt(url: string): AuthRequest {
  const request = parseWalletUri(makeAuthUri({ redirect: `${url}/api/auth?x=1`, session: SESSION, platform: "p" }));
  assert.ok(request.kind === "auth");
  return request;
}

function signAt(url: string, data?: object): SignRequest {
  const encoded = data === undefined ? "" : `&data=${Buffer.from(JSON.stringify(data)).toString("base64url")}`;
  const request = parseWalletUri(`ds://sign?session=${SESSION}&redirect_uri=${url}/signed${encoded}`);
  assert.ok(request.kind === "sign");
  return request;
}

function check(by: WalletKey, text: string, signature: string): Promise<SignatureEncoding | undefined> {
  const spki = Buffer.from(pointToSpki(decodePublicKey(by.publicKey).point));
  const publicKey = createPublicKey({ key: spki, format: "der", type: "spki" });
  return verifySignature(
    (signer: typeof publicKey, data, raw64) =>
      verify("sha256", data, { key: signer, dsaEncoding: "ieee-p1363" }, raw64),
    { key: publicKey, data: new TextEncoder().encode(text), signature },
  );
}

test("authenticate() posts eName, session and the session's signature, whatever a 2xx says [S2 Login flow] [V-DEC-308] [L-FLOW-015] [P-SBX-016]", async () => {
  await using platform = await startPlatform(200, "<html>welcome</html>");
  const answer = await authenticate({ fetch }, authAt(platform.url), ada);
  assert.deepEqual(platform.received, [{ path: "POST /api/auth?x=1", type: "application/json", body: answer }]);
  assert.deepEqual(answer, { ename: ENAME, session: SESSION, signature: answer.signature });
  assert.equal(await check(key, SESSION, answer.signature), "base64");
  const sent = await authenticate({ fetch }, authAt(platform.url), { ...ada, appVersion: "1.2.0" });
  assert.equal(sent.appVersion, "1.2.0");
});

test("a hardware key's login is written base58btc, also when the key gives DER [S2 Claims (amr)]", async () => {
  await using platform = await startPlatform();
  const sign = async (data: Uint8Array) => derOf(await key.sign(data));
  const answer = await authenticate({ fetch }, authAt(platform.url), { ...ada, key: { sign, encoding: "base58btc" } });
  assert.equal(await check(key, SESSION, answer.signature), "base58btc");
});

test("makeLoginLink() is /deeplink-login at the callback's origin, with the answer in its query [S2 Endpoints] [L-FLOW-016]", async () => {
  const link = new URL(await makeLoginLink(authAt("https://login.example"), { ...ada, appVersion: "1+2" }));
  assert.equal(link.origin + link.pathname, "https://login.example/deeplink-login");
  const { signature, ...rest } = Object.fromEntries(link.searchParams);
  assert.deepEqual(rest, { ename: ENAME, session: SESSION, appVersion: "1+2" });
  assert.equal(await check(key, SESSION, signature ?? ""), "base64");
});

test("answerSignRequest() posts {sessionId, signature, dsid, message}, the message being what was signed [decision I10] [V-DEC-300] [V-DEC-301] [V-DEC-304]", async () => {
  await using platform = await startPlatform(204);
  const message = "I agree: 100 € ☺";
  for (const [data, text] of [
    [undefined, SESSION],
    [{ message, sessionId: SESSION, poll: 7 }, message],
  ] as const) {
    const answer = await answerSignRequest({ fetch }, signAt(platform.url, data), ada);
    assert.deepEqual(answer, { sessionId: SESSION, signature: answer.signature, dsid: ENAME, message: text });
    assert.deepEqual(platform.received.at(-1), { path: "POST /signed", type: "application/json", body: answer });
    assert.equal(await check(key, text, answer.signature), "base64");
  }
});

test("a request that was not parsed from an address has the same limits: no session of another form, no token [decision I8] [V-DEC-260] [V-DEC-261]", async () => {
  await using platform = await startPlatform();
  const deployment = "gitforge:deployment:v1:nGgEG7mnpHzRbtqNEQQ47zk3sLnqRmTj01ky1oR3fSw";
  const auth = { ...authAt(platform.url), session: deployment, text: SESSION };
  await assert.rejects(authenticate({ fetch }, auth, ada), { code: "INVALID_SESSION" });
  await assert.rejects(makeLoginLink(auth, ada), { code: "INVALID_SESSION" });
  const sign = { ...signAt(platform.url), session: deployment, text: deployment };
  await assert.rejects(answerSignRequest({ fetch }, sign, ada), { code: "INVALID_SESSION" });
  const token = { ...signAt(platform.url), text: "eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJ4In0" };
  await assert.rejects(answerSignRequest({ fetch }, token, ada), { code: "TOKEN_TO_SIGN" });
  assert.deepEqual(platform.received, []);
});

test("a callback that refuses, redirects or is not there is reported in a sentence, with the platform's own code", async () => {
  const error = { error: { code: "SESSION_EXPIRED", message: "This code is too old; show a new one." } };
  await using refusing = await startPlatform(410, JSON.stringify(error));
  await using redirecting = await startPlatform(307, "", { location: "/elsewhere" });
  await using failing = await startPlatform(502, "Bad Gateway");
  const gone = await startPlatform();
  await gone[Symbol.asyncDispose]();
  const cases = [
    [refusing, "PLATFORM_REFUSED", "SESSION_EXPIRED", /refused: This code is too old; show a new one\.$/],
    [redirecting, "PLATFORM_REFUSED", undefined, /was answered 307/],
    [failing, "PLATFORM_UNAVAILABLE", undefined, /does not answer now: .+ 502\. Try again in a while\.$/],
    [gone, "PLATFORM_UNAVAILABLE", undefined, /was not answered\. Try again in a while\.$/],
  ] as const;
  for (const [platform, code, refusal, message] of cases) {
    const expected = { name: "WalletError", code, refusal, message };
    await assert.rejects(authenticate({ fetch }, authAt(platform.url), ada), expected);
    assert.ok(platform.received.length <= 1, "a signature goes to no other address");
  }
});

test("a key that fails, or returns an invalid signature, sends nothing [decision I9]", async () => {
  await using platform = await startPlatform();
  const keys = [
    async () => Promise.reject(new Error("locked")),
    async () => new Uint8Array(64),
    async () => new Uint8Array(63).fill(1),
    async () => new Uint8Array(),
  ];
  for (const sign of keys) {
    const signer = { ename: ENAME, key: { sign, encoding: "base64" as const } };
    await assert.rejects(authenticate({ fetch }, authAt(platform.url), signer), { code: "KEY_FAILED" });
  }
  assert.deepEqual(platform.received, []);
});

test("each exchange is reported with request and answer, a failed one too [S3 Sandbox] [P-SBX-021]", async () => {
  await using platform = await startPlatform(200, '{"ok":true,"token":"a platform\'s session"}');
  const seen: Exchange[] = [];
  const deps = { fetch, report: (exchange: Exchange) => void seen.push(exchange) };
  const request = authAt(platform.url);
  const answer = await authenticate(deps, request, ada);
  const about = { step: "callback", method: "POST", url: request.redirect, request: answer };
  assert.deepEqual(seen, [{ ...about, status: 200, response: { ok: true, token: "(not shown)" } }]);
  await platform[Symbol.asyncDispose]();
  await assert.rejects(authenticate(deps, request, ada), { code: "PLATFORM_UNAVAILABLE" });
  assert.deepEqual([seen[1]?.status, seen[1]?.response], [0, undefined]);
});

/** A raw signature as DER, as secure elements return it. */
function derOf(raw: Uint8Array): Uint8Array {
  const integers = [raw.subarray(0, 32), raw.subarray(32)].map((half) => {
    const digits = Buffer.from(half)
      .toString("hex")
      .replace(/^(?:00)+/, "");
    const bytes = Buffer.from(Number.parseInt(digits.slice(0, 2), 16) >= 0x80 ? `00${digits}` : digits, "hex");
    return Buffer.concat([Uint8Array.of(2, bytes.length), bytes]);
  });
  const body = Buffer.concat(integers);
  return Buffer.concat([Uint8Array.of(0x30, body.length), body]);
}
