import assert from "node:assert/strict";
import { test } from "node:test";
import { ADA, CLIENT, logIn, startLogin } from "./support/start-login.ts";

test("under an https issuer every answer carries Strict-Transport-Security, the protocol library's too [RFC 6797]", async (t) => {
  const login = await startLogin(t, { issuer: "https://login.example" });
  const { response } = await login.authorize();
  const others = ["/jwks", "/portal/login", "/.well-known/openid-configuration", "/nothing"].map((path) =>
    login.get(path),
  );
  for (const answer of [response, ...(await Promise.all(others))]) {
    assert.equal(answer.headers.get("strict-transport-security"), "max-age=31536000", answer.url);
  }
});

test("the tables of logins, codes and tokens are measured, and empty again when everything has expired [decisions L12, P6]", async (t) => {
  const login = await startLogin(t);
  const opened = await login.authorize();
  await login.authorize();
  const code = (await logIn(login, opened)).get("code") ?? "";
  const { access_token: accessToken } = (await (await login.token(code)).json()) as { readonly access_token: string };
  assert.equal((await login.get("/userinfo", { authorization: `Bearer ${accessToken}` })).status, 200);
  assert.deepEqual(figuresOf(await login.metrics()), {
    login_pending_logins: 1,
    login_requests: 1,
    login_codes: 1,
    login_access_tokens: 1,
    login_grants: 1,
    login_signed_people: 1,
  });
  login.setNow(Date.now() + 2 * 3_600_000);
  await emptied(login);
  assert.deepEqual(new Set(Object.values(figuresOf(await login.metrics()))), new Set([0]));
  assert.ok(!(await login.metrics()).includes(ADA.slice(1)));
});

test("the audit log tells how each login went, and holds no personal data, session, code or secret [P7] [T-53]", async (t) => {
  const lines: string[] = [];
  const login = await startLogin(t, { logTo: { write: (line) => lines.push(line) } });
  const opened = await login.authorize();
  const code = (await logIn(login, opened)).get("code") ?? "";
  const answer = (await (await login.token(code)).json()) as Readonly<Record<string, string>>;
  const failing = await login.authorize();
  await login.callback({ ename: ADA, session: failing.session, signature: "bad" });
  const entries = lines.map((line) => JSON.parse(line)).filter(({ audit }) => audit !== undefined);
  const [first] = entries;
  assert.match(first.login, /^[0-9a-f]{16}$/);
  assert.deepEqual(
    entries.map(({ audit, outcome, client }) => [audit, outcome ?? client]),
    [
      ["login_started", CLIENT.id],
      ["login_answered", "signed"],
      ["login_ended", "code"],
      ["code_exchanged", CLIENT.id],
      ["login_started", CLIENT.id],
      ["login_answered", "bad_signature"],
    ],
  );
  assert.equal(new Set(entries.slice(0, 3).map((entry) => entry.login)).size, 1);
  const [, browserSecret = ""] = opened.cookie.split("=");
  const hidden = [ADA, ADA.slice(1), opened.session, opened.id, browserSecret, code, CLIENT.secret, "a-nonce"];
  for (const text of [...hidden, answer["access_token"] ?? "", answer["id_token"] ?? ""]) {
    assert.ok(text !== "" && !lines.join("").includes(text), text);
  }
});

/** The sweep runs each second. */
async function emptied(login: { readonly metrics: () => Promise<string> }): Promise<void> {
  for (let looks = 0; looks < 100; looks += 1) {
    if (Object.values(figuresOf(await login.metrics())).every((size) => size === 0)) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function figuresOf(metrics: string): Record<string, number> {
  const found = metrics.matchAll(/^(login_[a-z_]+) ([0-9.]+)$/gm);
  return Object.fromEntries([...found].map(([, name = "", value]) => [name, Number(value)]));
}
