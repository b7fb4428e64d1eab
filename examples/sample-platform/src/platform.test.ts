import assert from "node:assert/strict";
import { test } from "node:test";
import { parseEName } from "@dataspace/protocol/ename";
import { systemClock } from "@dataspace/service-kit/clock";
import { createLog } from "@dataspace/service-kit/log";
import { parseWalletUri } from "@dataspace/wallet/parse-wallet-uri";
import { createMemoryLoginStore } from "@dataspace/wallet-login/memory-login-store";
import { createWalletLogin } from "@dataspace/wallet-login/wallet-login";
import { createPlatform } from "./platform.ts";

const ADA = parseEName("@11111111-2222-4333-8444-555555555555");
const log = createLog({ service: "sample-platform", level: "silent", pretty: false });

async function createTestPlatform(url = "http://127.0.0.1:3000") {
  const login = createWalletLogin(
    {
      store: createMemoryLoginStore({ clock: systemClock }),
      check: async ({ ename, signature }) =>
        signature === "good" ? { signed: { ename, encoding: "base64" } } : { failure: "bad_signature" },
    },
    { name: "Test", publicUrl: () => url, cookieName: "login" },
  );
  const server = await createPlatform({ log, clock: systemClock, login }, { publicUrl: () => url });
  const visit = async (cookies: Record<string, string> = {}) => {
    const {
      body,
      cookies: [cookie],
      statusCode,
    } = await server.inject({ url: "/", cookies });
    const session = /session=([\w-]+)/.exec(body)?.[1] ?? "";
    return { statusCode, cookie, session, cookies: { login: cookie?.value ?? "" } };
  };
  return { server, visit, login };
}

test("a signed session becomes a session of the platform's own, which ends at logging out (S2 Login flow)", async () => {
  const { server, visit } = await createTestPlatform();
  const { session, cookies } = await visit();
  assert.equal((await server.inject({ url: "/home", cookies })).headers.location, "/");
  const answered = await server.inject({
    method: "POST",
    url: "/api/auth",
    payload: { ename: ADA, session, signature: "good" },
  });
  assert.deepEqual([answered.statusCode, answered.json()], [200, { success: true }]);
  const led = await server.inject({ url: "/", cookies });
  assert.equal(led.headers.location, "/home");
  const [begun] = led.cookies;
  assert.deepEqual([begun?.httpOnly, begun?.sameSite, begun?.secure], [true, "Lax", undefined]);
  const own = { visit: begun?.value ?? "" };
  assert.match((await server.inject({ url: "/home", cookies: own })).body, new RegExp(ADA));
  assert.equal((await server.inject({ url: "/", cookies })).statusCode, 200, "the code's cookie is good for one login");
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  await server.inject({ method: "POST", url: "/logout", cookies: own, headers, payload: "" });
  assert.equal((await server.inject({ url: "/home", cookies: own })).headers.location, "/");
  await server.close();
});

test("cookies are out of reach of scripts, and secure where the platform is reached by https", async () => {
  const { server, visit } = await createTestPlatform("https://platform.example");
  const { cookie } = await visit();
  assert.deepEqual([cookie?.httpOnly, cookie?.secure], [true, true]);
  await server.close();
});

test("what is no answer of a wallet is refused in a sentence, also where a phone's wallet leads", async () => {
  const { server, visit } = await createTestPlatform();
  const { session, cookies } = await visit();
  const full = { ename: ADA as string, session, signature: "good" };
  for (const payload of [{}, [], { ...full, ename: "nobody" }, { ...full, signature: 7 }]) {
    const { statusCode, body } = await server.inject({ method: "POST", url: "/api/auth", payload });
    assert.equal(statusCode, 400, body);
  }
  const refused = await server.inject({ url: "/deeplink-login", query: { ...full, signature: "<b>bad" } });
  assert.equal(refused.statusCode, 401);
  assert.match(refused.body, /You are not logged in.*not signed by a key/s);
  const again = await visit(cookies);
  const led = await server.inject({
    url: "/deeplink-login",
    query: { ...full, session: again.session },
    cookies: again.cookies,
  });
  assert.equal(led.headers.location, "/");
  assert.equal((await server.inject({ url: "/", cookies: again.cookies })).headers.location, "/home");
  await server.close();
});

test("the offer is had as JSON too, for the same browser as the page's [P-SBX-022]", async () => {
  const { server, visit } = await createTestPlatform();
  const { session, cookies } = await visit();
  const { uri } = (await server.inject({ url: "/api/auth/offer", cookies })).json();
  const request = parseWalletUri(uri);
  assert.deepEqual([request.kind, request.kind === "auth" && request.session], ["auth", session]);
  await server.close();
});

test("an address starts 30 logins a minute, and the next is refused with a page; a browser whose login waits goes on [decision L12]", async () => {
  const { server, visit } = await createTestPlatform();
  const waiting = await visit();
  for (let start = 1; start < 30; start += 1) assert.equal((await visit()).statusCode, 200);
  const refused = await server.inject({ url: "/" });
  assert.equal(refused.statusCode, 429);
  assert.match(String(refused.headers["content-type"]), /^text\/html/);
  assert.equal((await server.inject({ url: "/api/auth/offer" })).statusCode, 429);
  assert.equal((await visit(waiting.cookies)).session, waiting.session);
  assert.equal((await server.inject({ url: "/", remoteAddress: "192.0.2.7" })).statusCode, 200);
  await server.close();
});

test("while as many logins wait as there may be, the page says so with 503 [decision L12]", async () => {
  const { server, login } = await createTestPlatform();
  for (let others = 0; others < 12_000; others += 1) await login.open(undefined);
  const refused = await server.inject({ url: "/" });
  assert.equal(refused.statusCode, 503);
  assert.match(String(refused.headers["content-type"]), /^text\/html/);
  assert.match(refused.body, /Too many logins wait/);
  await server.close();
});

test("a flood of people who log in ends nobody's session, and a login that finds no room is collected later [decision L12]", async () => {
  const { server, login } = await createTestPlatform();
  const logIn = async () => {
    const { session, setCookie } = (await login.open(undefined)) ?? assert.fail("no login was opened");
    await login.answer({ ename: ADA, session, signature: "good" });
    const enter = () => server.inject({ url: "/", headers: { cookie: setCookie } });
    return { enter, answer: await enter() };
  };
  const { answer: first } = await logIn();
  const own = { visit: first.cookies[0]?.value ?? "" };
  for (let others = 1; others < 10_000; others += 1) assert.equal((await logIn()).answer.statusCode, 303);
  const full = await logIn();
  assert.equal(full.answer.statusCode, 503);
  assert.match(String(full.answer.headers["content-type"]), /^text\/html/);
  assert.equal((await server.inject({ url: "/home", cookies: own })).statusCode, 200);
  await server.inject({ method: "POST", url: "/logout", cookies: own });
  assert.equal((await full.enter()).headers.location, "/home");
  await server.close();
});
