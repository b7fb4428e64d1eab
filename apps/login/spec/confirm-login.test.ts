import assert from "node:assert/strict";
import { test } from "node:test";
import { create, signIn } from "./support/sign-in.ts";
import { ADA, type OpenedLogin, startLogin, type TestLogin } from "./support/start-login.ts";

async function startConfirmed(login: TestLogin): Promise<OpenedLogin> {
  const made = await create(await signIn(login), { confirm_login: "on" });
  const opened = await login.authorize({ client_id: made.id });
  await login.callback({ ename: ADA, session: opened.session, signature: "good" });
  return opened;
}

function post(login: TestLogin, path: string, cookie = ""): Promise<Response> {
  const headers = { cookie, "content-type": "application/x-www-form-urlencoded" };
  return fetch(`${login.url}${path}`, { method: "POST", headers, body: "", redirect: "manual" });
}

test("where a client asks for it, the page asks to continue as the eName before the code is released [decision L6]", async (t) => {
  const login = await startLogin(t);
  const opened = await startConfirmed(login);
  for (let look = 0; look < 2; look += 1) {
    const asked = await login.get(`/login/${opened.id}`, { cookie: opened.cookie });
    assert.deepEqual([asked.status, asked.headers.get("location")], [200, null]);
    assert.ok((await asked.text()).includes(ADA));
  }
  assert.equal((await post(login, `/login/${opened.id}/continue`)).status, 403);
  const released = await post(login, `/login/${opened.id}/continue`, opened.cookie);
  assert.match(released.headers.get("location") ?? "", /[?&]code=/);
  assert.equal((await post(login, `/login/${opened.id}/continue`, opened.cookie)).status, 404);
});

test("whoever does not confirm returns to the client with access_denied, and no code was made [decision L6]", async (t) => {
  const login = await startLogin(t);
  const opened = await startConfirmed(login);
  const cancelled = await post(login, `/login/${opened.id}/cancel`, opened.cookie);
  assert.match(cancelled.headers.get("location") ?? "", /error=access_denied/);
  assert.equal((await post(login, `/login/${opened.id}/continue`, opened.cookie)).status, 404);
});

test("a login that is not signed cannot be confirmed [decision L6]", async (t) => {
  const login = await startLogin(t);
  const opened = await login.authorize();
  const early = await post(login, `/login/${opened.id}/continue`, opened.cookie);
  assert.equal(early.headers.get("location"), `/login/${opened.id}`);
});
