import assert from "node:assert/strict";
import { test } from "node:test";
import { createLog } from "@dataspace/service-kit/log";
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from "jose";
import { makeSigningKeySet } from "../src/provider/signing-key-set.ts";
import { create, signIn } from "./support/sign-in.ts";
import { ADA, logIn, startLogin, type TestLogin } from "./support/start-login.ts";

async function logInOnce(login: TestLogin): Promise<string> {
  const code = (await logIn(login, await login.authorize())).get("code") ?? "";
  const answer = await login.token(code);
  assert.equal(answer.status, 200);
  return ((await answer.json()) as { id_token: string }).id_token;
}

test("the audit log says what happened by client and outcome, and names no person, session, signature, code or secret [T-53] [T-91]", async (t) => {
  const lines: string[] = [];
  const log = createLog(
    { service: "login", level: "debug", pretty: false },
    { write: (line) => void lines.push(line) },
  );
  const login = await startLogin(t, { log });
  const developer = await signIn(login);
  const made = await create(developer);
  await developer.send(`/portal/clients/${made.id}/rotate`, {});
  const failed = await login.authorize();
  await login.callback({ ename: ADA, session: failed.session, signature: "a-bad-signature" });
  const opened = await login.authorize();
  const code = (await logIn(login, opened)).get("code") ?? "";
  await login.token(code);
  const audit = lines.map((line) => JSON.parse(line)).filter((entry) => entry.audit !== undefined);
  const found = audit.map(({ audit: kind, outcome, act, client }) => [kind, outcome ?? act ?? "", client]);
  assert.deepEqual(found, [
    ["login", "signed", "portal"],
    ["client", "created", made.id],
    ["client", "secret_rotated", made.id],
    ["login", "bad_signature", "ds_client"],
    ["login", "signed", "ds_client"],
    ["exchange", "", "ds_client"],
  ]);
  const text = lines.join("");
  const hidden = [
    ADA,
    ADA.slice(1),
    failed.session,
    opened.session,
    opened.cookie.split("=")[1] ?? "",
    code,
    made.secret,
  ];
  for (const secret of [...hidden, "a-bad-signature"]) assert.ok(!text.includes(secret), secret);
});

test("a key is rotated without a failed login: the next key is published first, then signs, while the old one is still published", async (t) => {
  const [[old], [next]] = [makeSigningKeySet(), makeSigningKeySet()];
  const kidsOf = async (login: TestLogin) =>
    ((await (await login.get("/jwks")).json()) as { keys: { kid: string; d?: string }[] }).keys.map(({ kid, d }) => {
      assert.equal(d, undefined);
      return kid;
    });
  const before = await startLogin(t, { signingKeys: [old, next] });
  const after = await startLogin(t, { signingKeys: [next, old] });
  assert.deepEqual(new Set(await kidsOf(before)), new Set(await kidsOf(after)));
  const [first, second] = [await logInOnce(before), await logInOnce(after)];
  assert.deepEqual(
    [first, second].map((token) => decodeProtectedHeader(token).kid),
    [old.kid, next.kid],
  );
  // A relying party that has read the keys before the switch verifies what is signed after it, and the other way round.
  for (const [login, token] of [
    [before, second],
    [after, first],
  ] as const) {
    await jwtVerify(token, createRemoteJWKSet(new URL(`${login.url}/jwks`)), { algorithms: ["ES256"] });
  }
});

test("a restart cancels logins and codes, and keeps the clients and their secrets [S2 States and transitions]", async (t) => {
  const before = await startLogin(t);
  const waiting = await before.authorize();
  const code = (await logIn(before, await before.authorize())).get("code") ?? "";
  const after = await startLogin(t, { database: before.database });
  const over = await after.get(`/login/${waiting.id}`, { cookie: waiting.cookie });
  assert.equal(over.status, 404);
  assert.equal((await after.callback({ ename: ADA, session: waiting.session, signature: "good" })).status, 404);
  const exchanged = await after.token(code);
  assert.deepEqual([exchanged.status, ((await exchanged.json()) as { error: string }).error], [400, "invalid_grant"]);
  await logInOnce(after);
});

test("under an https issuer every answer carries Strict-Transport-Security, the protocol library's too [RFC 6797]", async (t) => {
  const login = await startLogin(t, { issuer: "https://login.example" });
  const { response } = await login.authorize();
  const paths = ["/jwks", "/portal/login", "/.well-known/openid-configuration", "/nothing"];
  for (const answer of [response, ...(await Promise.all(paths.map((path) => login.get(path))))]) {
    assert.equal(answer.headers.get("strict-transport-security"), "max-age=31536000", answer.url);
  }
});

test("the tables of logins, codes and tokens are measured, and empty again when everything has expired [decisions L12, P6]", async (t) => {
  const login = await startLogin(t);
  const opened = await login.authorize();
  await login.authorize();
  const code = (await logIn(login, opened)).get("code") ?? "";
  assert.equal((await login.token(code)).status, 200);
  assert.deepEqual(await tablesOf(login), { pending: 1, requests: 1, codes: 1, access_tokens: 1, grants: 1 });
  login.setNow(Date.now() + 2 * 3_600_000);
  while (Object.values(await tablesOf(login)).some((size) => size > 0))
    await new Promise((resolve) => setTimeout(resolve, 50));
  assert.ok(!(await login.metrics()).includes(ADA.slice(1)));
});

async function tablesOf(login: TestLogin): Promise<Record<string, number>> {
  const found = (await login.metrics()).matchAll(/^login_(pending|requests|codes|access_tokens|grants) (\d+)$/gm);
  return Object.fromEntries([...found].map(([, name = "", value]) => [name, Number(value)]));
}
