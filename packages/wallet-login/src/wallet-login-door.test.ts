import assert from "node:assert/strict";
import { test } from "node:test";
import { parseEName } from "@dataspace/protocol/ename";
import { createMemoryLoginStore } from "./memory-login-store.ts";
import { createWalletLogin } from "./wallet-login.ts";
import { createWalletLoginDoor } from "./wallet-login-door.ts";

const ADA = parseEName("@11111111-2222-4333-8444-555555555555");

function createDoor(publicUrl = "http://127.0.0.1:3000") {
  const clock = { nowMs: () => 1_000_000 };
  const login = createWalletLogin(
    {
      store: createMemoryLoginStore({ clock }),
      check: async ({ ename, signature }) =>
        signature === "good" ? { signed: { ename, encoding: "base64" } } : { failure: "bad_signature" },
    },
    { name: "Notes", publicUrl: () => publicUrl },
  );
  const door = createWalletLoginDoor(login);
  const ask = async (path: string, init: RequestInit = {}) =>
    (await door.handle(new Request(`${publicUrl}${path}`, init))) ?? assert.fail(`${path} is not the door's`);
  const open = async () => {
    const shown = (await login.open(undefined)) ?? assert.fail("no login was opened");
    return { ...shown, headers: { cookie: shown.setCookie.split(";")[0] ?? "" } };
  };
  const post = (body: string) => ask("/api/auth", { method: "POST", body });
  return { door, login, ask, open, post };
}

test("a malformed answer is refused by its code and costs the session nothing [decision L4]", async () => {
  const { ask, open, post } = createDoor();
  const { session, headers } = await open();
  const good = { ename: ADA, session, signature: "good" };
  for (const body of [
    "{",
    "[]",
    "{}",
    JSON.stringify({ ...good, ename: "ada" }),
    JSON.stringify({ ...good, session: 7 }),
  ]) {
    const answer = await post(body);
    assert.deepEqual(
      [answer.status, ((await answer.json()) as { error: { code: string } }).error.code],
      [400, "BAD_REQUEST"],
      body,
    );
  }
  const large = await post(JSON.stringify({ ...good, more: "x".repeat(20_000) }));
  assert.equal(large.status, 413);
  const twice = await ask(`/deeplink-login?ename=${ADA}&session=${session}&session=${session}&signature=good`);
  assert.equal(twice.status, 400);
  assert.deepEqual(await (await ask("/api/auth/state", { headers })).json(), { state: "pending" });
  assert.deepEqual(await (await post(JSON.stringify(good))).json(), { success: true });
});

test("web wallets may post from any origin, other methods are refused, and other addresses are left to the platform", async () => {
  const { door, ask, post } = createDoor();
  assert.equal((await ask("/api/auth", { method: "OPTIONS" })).headers.get("access-control-allow-origin"), "*");
  assert.equal((await post("{}")).headers.get("access-control-allow-origin"), "*");
  assert.equal((await ask("/api/auth")).status, 405);
  for (const path of ["/", "/api/auth/", "/api/auth/offer", "/__proto__", "/constructor"]) {
    assert.equal(await door.handle(new Request(`http://127.0.0.1:3000${path}`)), undefined, path);
  }
});

test("a refused deep link is a page that shows the message as text, and another browser is asked to go back [decision L10]", async () => {
  const { ask, open } = createDoor();
  const { session } = await open();
  const link = (signature: string) => `/deeplink-login?${new URLSearchParams({ ename: ADA, session, signature })}`;
  const other = await open();
  const elsewhere = await ask(link("good"), { headers: other.headers });
  assert.equal(elsewhere.status, 200);
  assert.match(await elsewhere.text(), /Go back to the browser/);
  const again = await ask(link("good"));
  assert.equal(again.status, 409);
  assert.match(again.headers.get("content-security-policy") ?? "", /default-src 'none'/);
});

test("a browser has three event streams at most; closing the door ends them, and a browser without a login has none [decision L9]", async () => {
  const { door, ask, open } = createDoor();
  const { headers } = await open();
  assert.equal((await ask("/api/auth/events")).status, 404);
  // Whatever other cookies a browser sends, it is the same one.
  const streams = await Promise.all(
    [1, 2, 3].map((n) => ask("/api/auth/events", { headers: { cookie: `${headers.cookie}; other=${n}` } })),
  );
  assert.equal((await ask("/api/auth/events", { headers })).status, 429);
  await streams.pop()?.body?.cancel();
  streams.push(await ask("/api/auth/events", { headers }));
  door.close();
  for (const stream of streams) assert.match(await stream.text(), /event: pending\n/);
});

test("under https the cookie is Secure and bound to the host; the login is for the browser that holds it [decision L11]", async () => {
  const { login, open, post } = createDoor("https://notes.example");
  const { session, setCookie, headers } = await open();
  assert.match(setCookie, /^__Host-ds_wallet_login=[\w-]{43}; Max-Age=300; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
  await post(JSON.stringify({ ename: ADA, session, signature: "good" }));
  for (const cookie of [undefined, "__Host-ds_wallet_login=", `ds_wallet_login=${headers.cookie.split("=")[1]}`]) {
    assert.equal(await login.collect(cookie), undefined);
  }
  assert.equal((await login.collect(headers.cookie))?.ename, ADA);
});
