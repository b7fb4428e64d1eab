import assert from "node:assert/strict";
import { test } from "node:test";
import { parseEName } from "@dataspace/protocol/ename";
import { createPortalSessions } from "../src/portal/portal-sessions.ts";
import { create, NEW, signIn } from "./support/sign-in.ts";
import { ADA, CLIENT, startLogin, type TestLogin } from "./support/start-login.ts";

const BOB = parseEName("@99999999-2222-4333-8444-555555555555");
const MINUTE_MS = 60_000;

function createTestSessions(secret = "s".repeat(32)) {
  let nowMs = 1_000_000;
  const sessions = createPortalSessions({ clock: { nowMs: () => nowMs } }, secret);
  const pass = (ms: number): void => {
    nowMs += ms;
  };
  return { sessions, pass };
}

async function isSignedIn(login: TestLogin, cookie: string): Promise<boolean> {
  return (await login.get("/portal", { cookie })).status === 200;
}

test("a changed, foreign or ended session cookie signs nobody in [T-72]", async (t) => {
  const login = await startLogin(t);
  const developer = await signIn(login);
  const cookie = developer.own["cookie"] ?? "";
  const start = cookie.indexOf("=") + 1;
  for (let at = start; at < cookie.length; at += 1) {
    // A character of base64url with another bit; the last one of a part has bits that no byte has.
    const other = cookie[at] === "A" ? "Q" : "A";
    const changed = `${cookie.slice(0, at)}${other}${cookie.slice(at + 1)}`;
    assert.equal(await isSignedIn(login, changed), false, `character ${at - start}`);
  }
  for (const odd of ["", ".", "a.b", "=".repeat(2_000)])
    assert.equal(await isSignedIn(login, `ds_portal=${odd}`), false);
  assert.equal(await isSignedIn(login, cookie), true);
  const next = await signIn(login);
  assert.notEqual(next.own["cookie"], cookie, "each sign-in has a cookie of its own");
  await developer.send("/portal/logout", {});
  assert.equal(await isSignedIn(login, cookie), false);
  assert.equal(await isSignedIn(login, next.own["cookie"] ?? ""), true);
});

test("a session of another secret counts for nothing, also with the same ids [T-72]", () => {
  const { sessions } = createTestSessions();
  const cookie = sessions.begin(ADA) ?? "";
  assert.equal(sessions.find(cookie)?.ename, ADA);
  assert.equal(createTestSessions("t".repeat(32)).sessions.find(cookie), undefined);
});

test("a session ends after 30 idle minutes, and after 8 hours of use [T-72]", () => {
  const { sessions, pass } = createTestSessions();
  const idle = sessions.begin(ADA);
  const used = sessions.begin(ADA);
  for (let minutes = 0; minutes < 460; minutes += 29) {
    assert.equal(sessions.find(used)?.ename, ADA, `${minutes} minutes`);
    pass(29 * MINUTE_MS);
  }
  assert.equal(sessions.find(idle), undefined);
  pass(16 * MINUTE_MS);
  assert.equal(sessions.find(used), undefined);
});

test("a developer has ten sessions: the eleventh ends their oldest, and nobody else's", () => {
  const { sessions } = createTestSessions();
  const bobs = sessions.begin(BOB);
  const adas = Array.from({ length: 11 }, () => sessions.begin(ADA));
  assert.deepEqual(
    adas.map((cookie) => sessions.find(cookie) !== undefined),
    [false, ...Array.from({ length: 10 }, () => true)],
  );
  assert.equal(sessions.find(bobs)?.ename, BOB);
});

test("after a sweep the places of ended sessions are free again", () => {
  const { sessions, pass } = createTestSessions();
  const enames = Array.from({ length: 10_000 }, (_, index) =>
    parseEName(`@11111111-2222-4333-8444-${String(index).padStart(12, "0")}`),
  );
  for (const ename of enames) assert.notEqual(sessions.begin(ename), undefined);
  assert.equal(sessions.begin(BOB), undefined);
  pass(31 * MINUTE_MS);
  sessions.sweep();
  for (const ename of enames) assert.notEqual(sessions.begin(ename), undefined);
});

test("another site can neither sign a developer out nor remove their cookie [T-71]", async (t) => {
  const login = await startLogin(t);
  const developer = await signIn(login);
  for (const own of [developer.own, {}]) {
    for (const foreign of [{ "sec-fetch-site": "cross-site" }, { origin: "https://evil.example" }]) {
      const answer = await fetch(`${login.url}/portal/logout`, {
        method: "POST",
        redirect: "manual",
        headers: { ...own, ...foreign } as Record<string, string>,
        body: new URLSearchParams(),
      });
      assert.equal(answer.status, 403);
      assert.deepEqual(answer.headers.getSetCookie(), []);
    }
  }
  assert.equal((await developer.get("/portal")).answer.status, 200);
});

test("what the portal refuses is a page that says what to do, with Retry-After where waiting helps", async (t) => {
  const login = await startLogin(t, {
    limits: { pendingLogins: 2, startsPerMinute: 0, clientsPerHour: 1, perAddress: 0 },
  });
  const developer = await signIn(login);
  await create(developer);
  const refused = {
    429: await developer.send("/portal/clients", NEW),
    413: await developer.send("/portal/clients", { ...NEW, logo: new Blob([new Uint8Array(600_000)]) }),
    403: await developer.send("/portal/clients", { ...NEW, token: "another" }),
    404: await developer.get("/portal/clients/a%00b"),
  };
  for (const [status, { answer, html }] of Object.entries(refused)) {
    assert.equal(answer.status, Number(status));
    assert.match(answer.headers.get("content-type") ?? "", /^text\/html/, status);
    assert.match(html, /<h1>/, status);
  }
  assert.match(refused[429].answer.headers.get("retry-after") ?? "", /^\d+$/);
  for (const _ of [1, 2]) await login.get("/portal/login");
  const full = await login.get("/portal/login");
  assert.deepEqual([full.status, full.headers.get("retry-after")], [503, "60"]);
  assert.match(full.headers.get("content-type") ?? "", /^text\/html/);
});

test("a secret is shown once: no later page of the portal and no row of the database has it; portal pages cannot be framed [T-76]", async (t) => {
  const login = await startLogin(t);
  const developer = await signIn(login);
  const made = await create(developer);
  await developer.send(`/portal/clients/${made.id}/test`, { secret: made.secret });
  assert.match(made.answer.headers.get("cache-control") ?? "", /no-store/);
  for (const path of ["/portal", `/portal/clients/${made.id}`, `/portal/clients/${made.id}/test`]) {
    const { answer, html } = await developer.get(path);
    assert.ok(!html.includes(made.secret), path);
    assert.match(answer.headers.get("content-security-policy") ?? "", /frame-ancestors 'none'/);
    assert.equal(answer.headers.get("cross-origin-opener-policy"), "same-origin");
  }
  const { rows } = await login.database.query<{ readonly row: string }>({
    text: "select to_jsonb(login_client)::text as row from login_client where client_id = $1",
    values: [made.id],
  });
  assert.ok(rows.length === 1 && !rows[0]?.row.includes(made.secret));
});

test("signing out, or 10 minutes, end a connection test with the secret in it; looking does not extend it", async (t) => {
  const login = await startLogin(t);
  const developer = await signIn(login);
  const at = `/portal/clients/${CLIENT.id}/test`;
  const isRunning = async () => /Log in with your wallet/.test((await developer.get(at)).html);
  const startedMs = Date.now();
  await developer.send(at, { secret: CLIENT.secret });
  for (const minutes of [3, 6, 9]) {
    login.setNow(startedMs + minutes * MINUTE_MS);
    // The code of the test's own login is too old by then; the test itself is still there.
    assert.match((await developer.get(at)).html, /Test connection/);
  }
  login.setNow(startedMs + 10 * MINUTE_MS + 1_000);
  assert.equal(await isRunning(), false);
  assert.match((await developer.get(at)).html, /Connection values/);
});
