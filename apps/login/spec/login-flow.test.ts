import assert from "node:assert/strict";
import { test } from "node:test";
import { createRemoteJWKSet, jwtVerify } from "jose";
import { ADA, CLIENT, logIn, startLogin } from "./support/start-login.ts";

test("a signed session gives its browser a code, and the code gives an ES256 ID token for the eName [L-FLOW-017] [L-FLOW-019] [L-CLM-001] [L-CLM-017] [L-CLM-018] [L-CLM-021]", async (t) => {
  const login = await startLogin(t);
  const opened = await login.authorize();
  assert.equal(opened.response.status, 200, opened.page);
  assert.match(opened.session, /^[A-Za-z0-9_-]{43}$/);
  const given = await logIn(login, opened);
  assert.equal(given.get("state"), "a state");
  assert.equal(given.get("iss"), login.url);
  const answer = await login.token(given.get("code") ?? "");
  const body = (await answer.json()) as {
    id_token: string;
    access_token: string;
    expires_in: number;
    token_type: string;
  };
  assert.equal(answer.status, 200, JSON.stringify(body));
  assert.deepEqual([body.token_type, body.expires_in], ["Bearer", 300]);
  const keys = createRemoteJWKSet(new URL(`${login.url}/jwks`));
  const { payload, protectedHeader } = await jwtVerify(body.id_token, keys, { issuer: login.url, audience: CLIENT.id });
  assert.equal(protectedHeader.alg, "ES256");
  assert.deepEqual([payload.sub, payload["nonce"], payload["amr"]], [ADA, "a-nonce", ["swk"]]);
  assert.equal(payload["preferred_username"], ADA.slice(1));
  assert.equal(payload.exp! - payload.iat!, 300);
  assert.equal(typeof payload["auth_time"], "number");
  const info = await login.get("/userinfo", { authorization: `Bearer ${body.access_token}` });
  const claims = (await info.json()) as Record<string, unknown>;
  for (const name of ["sub", "amr", "auth_time", "preferred_username"])
    assert.deepEqual(claims[name], payload[name], name);
});

test("a code is exchanged once; its second use is invalid_grant and ends the tokens of the first [L-STATE-013] [L-STATE-014]", async (t) => {
  const login = await startLogin(t);
  const code = (await logIn(login, await login.authorize())).get("code") ?? "";
  const { access_token } = (await (await login.token(code)).json()) as { access_token: string };
  const again = await login.token(code);
  assert.deepEqual([again.status, ((await again.json()) as { error: string }).error], [400, "invalid_grant"]);
  const info = await login.get("/userinfo", { authorization: `Bearer ${access_token}` });
  assert.equal(info.status, 401);
});

test("only the browser that holds the login's cookie collects the code, once [L-FLOW-018] [L-AUTH-014] [L-SES-003]", async (t) => {
  const login = await startLogin(t);
  const opened = await login.authorize();
  const other = await login.authorize();
  await login.callback({ ename: ADA, session: opened.session, signature: "good" });
  for (const headers of [{}, { cookie: other.cookie }]) {
    const stranger = await login.get(`/login/${opened.id}`, headers as Record<string, string>);
    assert.deepEqual([stranger.status, stranger.headers.get("location")], [403, null]);
  }
  const own = await login.get(`/login/${opened.id}`, { cookie: opened.cookie });
  assert.match(own.headers.get("location") ?? "", /^https:\/\/rp\.example\/callback\?code=/);
  const again = await login.get(`/login/${opened.id}`, { cookie: opened.cookie });
  assert.equal(again.status, 404);
  assert.equal(again.headers.get("location"), null);
});

test("the address to go on by shows the waiting page before the signature [L-DEC-262] [L-DEC-263]", async (t) => {
  const login = await startLogin(t);
  const opened = await login.authorize();
  const waiting = await login.get(`/login/${opened.id}`, { cookie: opened.cookie });
  const page = await waiting.text();
  assert.equal(waiting.status, 200);
  assert.match(page, /<noscript><meta http-equiv="refresh" content="3; url=\/login\//);
  assert.ok(page.includes(opened.session));
});

test("cancelling returns to the client with access_denied", async (t) => {
  const login = await startLogin(t);
  const opened = await login.authorize();
  const cancelled = await fetch(`${login.url}/login/${opened.id}/cancel`, {
    method: "POST",
    redirect: "manual",
    headers: { cookie: opened.cookie, "content-type": "application/x-www-form-urlencoded" },
    body: "",
  });
  const { searchParams } = new URL(cancelled.headers.get("location") ?? "about:blank");
  assert.deepEqual([searchParams.get("error"), searchParams.get("state")], ["access_denied", "a state"]);
});
