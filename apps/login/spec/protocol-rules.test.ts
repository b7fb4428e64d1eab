import assert from "node:assert/strict";
import { test } from "node:test";
import { ADA, CLIENT, logIn, startLogin } from "./support/start-login.ts";

/** What is wrong with a request, and the error that its redirect carries. */
const REDIRECTED = [
  ["prompt=none", { prompt: "none" }, "login_required", "[L-SVC-022]"],
  ["no PKCE", { code_challenge: undefined, code_challenge_method: undefined }, "invalid_request", "[L-AUTH-017]"],
  ["PKCE plain", { code_challenge_method: "plain" }, "invalid_request", "[L-AUTH-018]"],
  ["a challenge without a method", { code_challenge_method: undefined }, "invalid_request", "[L-AUTH-018]"],
  ["no openid", { scope: "profile", nonce: undefined }, "invalid_scope", "[L-DEC-103]"],
  ["no scope", { scope: undefined, nonce: undefined }, "invalid_scope", "[L-DEC-103]"],
  ["another response type", { response_type: "id_token" }, "unsupported_response_type", "[L-SVC-013]"],
  ["a request object", { request: "e30.e30." }, "request_not_supported", "[T-5A]"],
  ["a login hint of 3,000 characters", { login_hint: "h".repeat(3_000) }, "invalid_request", "[T-59]"],
  ["a state of 3,000 characters", { state: "s".repeat(3_000) }, "invalid_request", "[T-54]"],
] as const;

for (const [what, parameters, error, cited] of REDIRECTED) {
  test(`a request with ${what} is ${error}, and starts no login ${cited}`, async (t) => {
    const login = await startLogin(t);
    const { response } = await login.authorize(parameters);
    const target = new URL(response.headers.get("location") ?? "about:blank");
    assert.equal(target.origin + target.pathname, CLIENT.redirectUri);
    // The error of a response type that answers in the fragment comes there.
    const answer = new URLSearchParams(target.search || target.hash.slice(1));
    assert.equal(answer.get("error"), error);
    assert.equal(answer.get("iss"), login.url);
  });
}

/** Requests that must not be redirected anywhere. */
const REFUSED = [
  ["an unknown client", { client_id: "nobody" }],
  ["a client id with NUL", { client_id: "\0" }],
  ["another redirect URI", { redirect_uri: "https://evil.example/callback" }],
  ["a redirect URI with a trailing slash", { redirect_uri: `${CLIENT.redirectUri}/` }],
  ["a redirect URI with a fragment", { redirect_uri: `${CLIENT.redirectUri}#x` }],
  ["no redirect URI", { redirect_uri: undefined }],
] as const;

for (const [what, parameters] of REFUSED) {
  test(`a request with ${what} gets an error page and no redirect [L-ERR-005] [L-ERR-006] [L-DEC-231]`, async (t) => {
    const login = await startLogin(t);
    const { response, page } = await login.authorize(parameters);
    assert.equal(response.status, 400);
    assert.equal(response.headers.get("location"), null);
    assert.match(page, /This login cannot start/);
  });
}

for (const prompt of ["login", "consent", "select_account", "consent select_account"]) {
  test(`prompt=${prompt} logs in as usual [L-DEC-101] [L-DEC-102]`, async (t) => {
    const login = await startLogin(t);
    const given = await logIn(login, await login.authorize({ prompt }));
    assert.match(given.get("code") ?? "", /^\S+$/, String(given));
  });
}

test("POST /authorize works as GET does [L-DEC-100]", async (t) => {
  const login = await startLogin(t);
  const got = await login.authorize();
  const query = new URL(got.response.url).search;
  const posted = await fetch(`${login.url}/authorize`, {
    method: "POST",
    body: new URLSearchParams(query),
    redirect: "manual",
  });
  assert.equal(posted.status, 200);
  assert.match(await posted.text(), /ds:\/\/auth\?redirect=/);
});

test("discovery names the issuer's addresses whatever the request's Host, and PKCE S256 and ES256 alone [L-DEC-104] [L-HTTP-001] [L-SVC-015] [L-SVC-018]", async (t) => {
  const login = await startLogin(t);
  const found = await login.get("/.well-known/openid-configuration", { "x-forwarded-host": "evil.example" });
  const document = (await found.json()) as Record<string, unknown>;
  assert.equal(document["issuer"], login.url);
  for (const [name, path] of Object.entries({
    authorization_endpoint: "/authorize",
    token_endpoint: "/token",
    userinfo_endpoint: "/userinfo",
    jwks_uri: "/jwks",
  })) {
    assert.equal(document[name], `${login.url}${path}`);
  }
  assert.deepEqual(document["code_challenge_methods_supported"], ["S256"]);
  assert.deepEqual(document["id_token_signing_alg_values_supported"], ["ES256"]);
  assert.deepEqual(document["response_types_supported"], ["code"]);
  assert.deepEqual(document["grant_types_supported"], ["authorization_code"]);
  assert.deepEqual(document["token_endpoint_auth_methods_supported"], ["client_secret_basic", "client_secret_post"]);
  assert.deepEqual([...(document["scopes_supported"] as string[])].sort(), ["email", "openid", "profile"]);
});

/** What is wrong at /token, and the status and error. */
const AT_TOKEN = [
  ["a wrong secret", { client_secret: "wrong" }, 401, "invalid_client"],
  ["no secret", { client_secret: undefined }, 401, "invalid_client"],
  ["the stored hash as the secret", { client_secret: "sha256:0" }, 401, "invalid_client"],
  ["a wrong verifier", { code_verifier: "x".repeat(43) }, 400, "invalid_grant"],
  ["no verifier", { code_verifier: undefined }, 400, "invalid_grant"],
  ["no redirect URI", { redirect_uri: undefined }, 400, "invalid_request"],
  ["another redirect URI", { redirect_uri: "https://rp.example/other" }, 400, "invalid_grant"],
  ["another grant type", { grant_type: "password" }, 400, "unsupported_grant_type"],
] as const;

for (const [what, parameters, status, error] of AT_TOKEN) {
  test(`/token with ${what} is ${error} [L-AUTH-020] [L-DEC-232] [T-56]`, async (t) => {
    const login = await startLogin(t);
    const code = (await logIn(login, await login.authorize())).get("code") ?? "";
    const answer = await login.token(code, parameters);
    assert.deepEqual([answer.status, ((await answer.json()) as { error: string }).error], [status, error]);
  });
}

test("a client authenticates by basic or by post, and not by both at once [L-SVC-016] [L-SVC-017] [L-DEC-222]", async (t) => {
  const login = await startLogin(t);
  const basic = `Basic ${Buffer.from(`${CLIENT.id}:${CLIENT.secret}`).toString("base64")}`;
  const exchange = async (more: Record<string, string>, headers: Record<string, string>) => {
    const code = (await logIn(login, await login.authorize())).get("code") ?? "";
    const body = new URLSearchParams({
      grant_type: "authorization_code",
      code,
      redirect_uri: CLIENT.redirectUri,
      code_verifier: "a-verifier-of-forty-three-characters-or-more-0123",
      ...more,
    });
    const answer = await fetch(`${login.url}/token`, { method: "POST", body, headers });
    return [answer.status, ((await answer.json()) as { error?: string }).error];
  };
  assert.deepEqual(await exchange({}, { authorization: basic }), [200, undefined]);
  assert.deepEqual(await exchange({ client_id: CLIENT.id, client_secret: CLIENT.secret }, {}), [200, undefined]);
  const both = await exchange({ client_id: CLIENT.id, client_secret: CLIENT.secret }, { authorization: basic });
  assert.deepEqual(both, [400, "invalid_request"]);
});

test("a code is too old after its lifetime, an access token after its own [L-SES-007] [L-SES-008]", async (t) => {
  const login = await startLogin(t, { lifetimes: { session: 300, code: 1, token: 1 } });
  const code = (await logIn(login, await login.authorize())).get("code") ?? "";
  const fresh = (await (await login.token(code)).json()) as { access_token: string };
  const late = (await logIn(login, await login.authorize())).get("code") ?? "";
  await new Promise((resolve) => setTimeout(resolve, 2_100));
  assert.equal((await login.token(late)).status, 400);
  assert.equal((await login.get("/userinfo", { authorization: `Bearer ${fresh.access_token}` })).status, 401);
});

test("the claims come by scope, the placeholder email only where the client requires one [L-CLM-007] [L-CLM-010] [L-CLM-011] [L-DEC-160] [L-DEC-161] [L-DEC-162]", async (t) => {
  const claimsOf = async (requireEmail: boolean, scope: string) => {
    const login = await startLogin(t, { requireEmail });
    const code = (await logIn(login, await login.authorize({ scope }))).get("code") ?? "";
    const { access_token } = (await (await login.token(code)).json()) as { access_token: string };
    return (await login.get("/userinfo", { authorization: `Bearer ${access_token}` })).json() as Promise<
      Record<string, unknown>
    >;
  };
  const all = await claimsOf(true, "openid profile email");
  assert.equal(all["email"], `${ADA.slice(1)}@users.dataspace.invalid`);
  assert.equal(all["email_verified"], false);
  const withoutEmail = await claimsOf(false, "openid profile email");
  assert.ok(!("email" in withoutEmail) && !("email_verified" in withoutEmail));
  assert.equal(withoutEmail["preferred_username"], ADA.slice(1));
  const bare = await claimsOf(true, "openid");
  assert.deepEqual(Object.keys(bare).sort(), ["amr", "auth_time", "sub"]);
});
