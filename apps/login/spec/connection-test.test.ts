import assert from "node:assert/strict";
import { test } from "node:test";
import { create, signIn } from "./support/sign-in.ts";
import { ADA, CLIENT, startLogin, type TestLogin } from "./support/start-login.ts";

async function runTest(
  login: TestLogin,
  { id, secret, signature = "good" }: { readonly id: string; readonly secret: string; readonly signature?: string },
) {
  const developer = await signIn(login);
  const started = await developer.send(`/portal/clients/${id}/test`, { secret });
  assert.equal(started.answer.headers.get("location"), `/portal/clients/${id}/test`);
  const waiting = await developer.get(`/portal/clients/${id}/test`);
  const session = /session=([\w-]{43})/.exec(waiting.html)?.[1];
  if (session !== undefined) await login.callback({ ename: ADA, session, signature });
  const [done] = await Promise.all([1, 2].map(() => developer.get(`/portal/clients/${id}/test`)));
  return { waiting: waiting.html, html: done?.html ?? "" };
}

test("Test connection runs a real login of the client and shows what an identity provider receives", async (t) => {
  const login = await startLogin(t);
  const { waiting, html } = await runTest(login, CLIENT);
  assert.match(waiting, /Log in with your wallet/);
  assert.match(html, /The connection works/);
  assert.ok(html.includes(`&quot;sub&quot;: &quot;${ADA}&quot;`), html);
  assert.ok(!html.includes(CLIENT.secret));
});

test("Test connection works for a client whose people confirm each login", async (t) => {
  const login = await startLogin(t);
  const made = await create(await signIn(login), { confirm_login: "on" });
  assert.match((await runTest(login, made)).html, /The connection works/);
});

test("Test connection names the first thing that is wrong: the secret, or the wallet", async (t) => {
  const login = await startLogin(t);
  const wrongSecret = await runTest(login, { ...CLIENT, secret: "another" });
  assert.match(wrongSecret.html, /Code exchange with the client secret failed: the secret is not this client/);
  const unsigned = await runTest(login, { ...CLIENT, signature: "bad" });
  assert.match(unsigned.html, /The wallet did not sign/);
});

test("Test connection explains an issuer that this address does not serve", async (t) => {
  const login = await startLogin(t, { issuer: "http://127.0.0.1:9" });
  assert.match((await runTest(login, CLIENT)).waiting, /Discovery document failed/);
});

/** A request that an identity provider sends wrongly, and what the client's page advises. */
const WRONG_REQUESTS = [
  ["no PKCE", { code_challenge: undefined, code_challenge_method: undefined }, /Switch on PKCE/],
  ["another redirect URI", { redirect_uri: "https://rp.example/other" }, /Register exactly the redirect URI/],
  ["no openid", { scope: "profile", nonce: undefined }, /Add the scope openid/],
  ["prompt=none", { prompt: "none" }, /sent prompt=none/],
] as const;

for (const [what, parameters, advice] of WRONG_REQUESTS) {
  test(`after a request with ${what} the client's page says what to change`, async (t) => {
    const login = await startLogin(t);
    const developer = await signIn(login);
    await login.authorize(parameters);
    assert.match((await developer.get(`/portal/clients/${CLIENT.id}`)).html, advice);
  });
}

test("after an exchange with a wrong secret the client's page says so, and after a login that works it says nothing", async (t) => {
  const login = await startLogin(t);
  const developer = await signIn(login);
  const page = async () => (await developer.get(`/portal/clients/${CLIENT.id}`)).html;
  await login.token("any", { client_secret: "wrong" });
  assert.match(await page(), /The client secret is wrong/);
  await runTest(login, CLIENT);
  assert.doesNotMatch(await page(), /was refused/);
});
