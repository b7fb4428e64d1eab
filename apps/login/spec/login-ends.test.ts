import assert from "node:assert/strict";
import { test } from "node:test";
import { signIn } from "./support/sign-in.ts";
import { ADA, CLIENT, logIn, type OpenedLogin, startLogin, type TestLogin } from "./support/start-login.ts";

/** Of each kind of value there may be eight for each pending login, and at least as many. */
const ENTRIES = 20;
const LIMITS = { pendingLogins: 1, startsPerMinute: 0, clientsPerHour: 10, perAddress: 0 };

async function sign(login: TestLogin, { session }: OpenedLogin): Promise<void> {
  assert.equal((await login.callback({ ename: ADA, session, signature: "good" })).status, 200);
}

function post(login: TestLogin, path: string, cookie: string): Promise<Response> {
  const headers = { cookie, "content-type": "application/x-www-form-urlencoded" };
  return fetch(`${login.url}${path}`, { method: "POST", redirect: "manual", headers, body: "" });
}

test("a login whose grant exceeds the quota ends with a page that says so, and not without an answer [decision L12]", async (t) => {
  const login = await startLogin(t, { limits: LIMITS });
  for (let count = 0; count < ENTRIES; count += 1) await logIn(login, await login.authorize());
  // The authorization requests are over by then, and the grants are not.
  login.setNow(Date.now() + 61_000);
  const opened = await login.authorize();
  await sign(login, opened);
  const refused = await login.get(`/login/${opened.id}`, { cookie: opened.cookie });
  assert.deepEqual([refused.status, refused.headers.get("retry-after")], [503, "60"]);
  assert.match(await refused.text(), /Too many logins/);
});

test("a login whose claims exceed the quota ends with that page too, and issues no code [decision L12]", async (t) => {
  const login = await startLogin(t, { limits: LIMITS });
  for (let count = 0; count < ENTRIES; count += 1) {
    const code = (await logIn(login, await login.authorize())).get("code") ?? "";
    // A second use of the code ends its grant; the claims of the login are still in memory.
    for (const status of [200, 400]) assert.equal((await login.token(code)).status, status);
  }
  login.setNow(Date.now() + 61_000);
  const opened = await login.authorize();
  await sign(login, opened);
  const refused = await login.get(`/login/${opened.id}`, { cookie: opened.cookie });
  assert.deepEqual([refused.status, refused.headers.get("location")], [503, null]);
});

test("after a login another tab of the same browser sees that it is over, and not that it is another browser [L-AUTH-014]", async (t) => {
  const login = await startLogin(t);
  for (const path of ["", "/cancel"]) {
    const opened = await login.authorize();
    await sign(login, opened);
    const address = `/login/${opened.id}${path}`;
    const led = await (path === ""
      ? login.get(address, { cookie: opened.cookie })
      : post(login, address, opened.cookie));
    assert.equal(led.status, 303);
    const [cookie = ""] = led.headers.getSetCookie();
    assert.match(cookie, /Max-Age=600;/);
    const tab = await login.get(`/login/${opened.id}`, { cookie: cookie.split(";")[0] ?? "" });
    assert.equal(tab.status, 404);
    assert.match(await tab.text(), /This login is over/);
    assert.equal((await login.get(`/login/${opened.id}`)).status, 403);
  }
});

test("new codes do not keep a login alive for longer than its authorization request: an hour [L-SES-002] [decision L2]", async (t) => {
  const login = await startLogin(t);
  const opened = await login.authorize();
  const startedMs = Date.now();
  const stateAt = async (seconds: number) => {
    login.setNow(startedMs + seconds * 1_000);
    await post(login, `/login/${opened.id}/renew`, opened.cookie);
    const answer = await login.get(`/login/${opened.id}/state`, { cookie: opened.cookie });
    return ((await answer.json()) as { readonly state: string }).state;
  };
  for (let seconds = 0; seconds < 3_590; seconds += 290)
    assert.equal(await stateAt(seconds), "pending", `${seconds} s`);
  assert.equal(await stateAt(3_601), "over");
  const page = await login.get(`/login/${opened.id}`, { cookie: opened.cookie });
  assert.equal(page.status, 404);
});

test("the developer of a client sees no fault after a person cancels", async (t) => {
  const login = await startLogin(t);
  const developer = await signIn(login);
  const opened = await login.authorize();
  assert.match(
    (await post(login, `/login/${opened.id}/cancel`, opened.cookie)).headers.get("location") ?? "",
    /denied/,
  );
  assert.doesNotMatch((await developer.get(`/portal/clients/${CLIENT.id}`)).html, /was refused/);
});

test("a login page has no form-action: Continue and Cancel lead to a client that may redirect on; it cannot be framed [T-76]", async (t) => {
  const login = await startLogin(t);
  const { response } = await login.authorize();
  const policy = response.headers.get("content-security-policy") ?? "";
  assert.doesNotMatch(policy, /form-action/);
  for (const part of ["default-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"])
    assert.ok(policy.includes(part));
  assert.equal(response.headers.get("x-frame-options"), "DENY");
});
