import assert from "node:assert/strict";
import { test } from "node:test";
import { ADA, logIn, startLogin, type TestLogin } from "./support/start-login.ts";

async function codeOf(answer: Response): Promise<readonly [number, string | undefined]> {
  return [answer.status, ((await answer.json()) as { error?: { code: string } }).error?.code];
}

test("malformed answers and unknown sessions are refused, ask nobody, and cost the session nothing [L-DEC-081] [L-DEC-082]", async (t) => {
  let checks = 0;
  const login = await startLogin(t, {
    check: async () => {
      checks += 1;
      return { failure: "bad_signature" };
    },
  });
  const { session } = await login.authorize();
  const good = { ename: ADA, session, signature: "good" };
  for (const body of [
    "{",
    "[]",
    {},
    { ...good, ename: "nobody" },
    { ...good, signature: 7 },
    { ...good, signature: "x".repeat(2_000) },
  ]) {
    assert.equal((await login.callback(body)).status, 400, JSON.stringify(body));
  }
  assert.deepEqual(await codeOf(await login.callback({ ...good, session: "a".repeat(43) })), [404, "UNKNOWN_SESSION"]);
  assert.equal(checks, 0);
  assert.deepEqual(await codeOf(await login.callback(good)), [401, "SIGNATURE_INVALID"]);
});

test("an answer that fails ends the login; the page offers a new code in place, and the old session is dead [L-DEC-080] [L-DEC-083] [L-DEC-043]", async (t) => {
  const login = await startLogin(t);
  const opened = await login.authorize();
  assert.equal((await login.callback({ ename: ADA, session: opened.session, signature: "bad" })).status, 401);
  const failed = await (await login.get(`/login/${opened.id}`, { cookie: opened.cookie })).text();
  assert.match(failed, /Try again with a new code/);
  assert.deepEqual(await codeOf(await login.callback({ ename: ADA, session: opened.session, signature: "good" })), [
    409,
    "SESSION_USED",
  ]);
  const session = await renew(login, opened);
  assert.notEqual(session, opened.session);
  assert.deepEqual(await codeOf(await login.callback({ ename: ADA, session: opened.session, signature: "good" })), [
    404,
    "UNKNOWN_SESSION",
  ]);
  assert.match((await logIn(login, { ...opened, session })).get("code") ?? "", /\S/);
});

test("a session takes one signature, and none after its lifetime [L-AUTH-015] [L-DEC-087] [L-DEC-088] [L-STATE-009]", async (t) => {
  const login = await startLogin(t);
  const signed = await login.authorize();
  const late = await login.authorize();
  const answer = (session: string) => login.callback({ ename: ADA, session, signature: "good" });
  assert.deepEqual(await (await answer(signed.session)).json(), { ok: true });
  assert.deepEqual(await codeOf(await answer(signed.session)), [409, "SESSION_USED"]);
  login.setNow(Date.now() + 301_000);
  assert.deepEqual(await codeOf(await answer(late.session)), [410, "SESSION_EXPIRED"]);
});

test("of 20 answers to one session at once one is checked [L-SES-003]", async (t) => {
  let checks = 0;
  const login = await startLogin(t, {
    check: async ({ ename }) => {
      checks += 1;
      await new Promise((resolve) => setTimeout(resolve, 50));
      return { signed: { ename, amr: "swk", signedAtSeconds: 1, profile: {} } };
    },
  });
  const { session } = await login.authorize();
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => login.callback({ ename: ADA, session, signature: "good" })),
  );
  assert.equal(checks, 1);
  assert.equal(answers.filter(({ status }) => status === 200).length, 1);
});

test("a deep link leads the browser that started on, tells another one to go back, and is a 4xx page when it fails [L-HTTP-010] [L-DEC-204]", async (t) => {
  const login = await startLogin(t);
  const link = (session: string, signature = "good") =>
    `/deeplink-login?${new URLSearchParams({ ename: ADA, session, signature, appVersion: "0.4.0" })}`;
  const own = await login.authorize();
  const led = await login.get(link(own.session), { cookie: own.cookie });
  assert.deepEqual([led.status, led.headers.get("location")], [303, `/login/${own.id}`]);
  const other = await login.authorize();
  const elsewhere = await login.get(link(other.session));
  assert.equal(elsewhere.status, 200);
  assert.match(await elsewhere.text(), /Go back to the browser/);
  const collected = await login.get(`/login/${other.id}`, { cookie: other.cookie });
  assert.match(collected.headers.get("location") ?? "", /code=/);
  const bad = await login.authorize();
  const refused = await login.get(link(bad.session, "<b>bad"), { cookie: bad.cookie });
  assert.equal(refused.status, 401);
  assert.match(refused.headers.get("content-type") ?? "", /text\/html/);
  assert.equal((await login.get("/deeplink-login?ename=a&ename=b")).status, 400);
});

test("the event stream needs the login's cookie, says the present state first, and ends with the final one [L-EVT-003] [L-DEC-180] [L-DEC-181] [L-DEC-264]", async (t) => {
  const login = await startLogin(t);
  const opened = await login.authorize();
  const path = `/ds/events/${opened.session}`;
  assert.equal((await login.get(path)).status, 403);
  assert.equal((await login.get(`/ds/events/${"a".repeat(43)}`)).status, 404);
  const streams = await Promise.all([1, 2, 3].map(() => login.get(path, { cookie: opened.cookie })));
  assert.equal((await login.get(path, { cookie: opened.cookie })).status, 429);
  const [first] = streams;
  assert.match(first?.headers.get("content-type") ?? "", /^text\/event-stream/);
  assert.equal(first?.headers.get("x-accel-buffering"), "no");
  await login.callback({ ename: ADA, session: opened.session, signature: "good" });
  for (const stream of streams) {
    const text = await stream.text();
    assert.match(text, /event: pending\n[\s\S]*event: signed\n/);
    assert.ok(text.includes(`"next":"/login/${opened.id}"`));
    assert.ok(!text.includes("code="));
  }
});

test("a stream ends as expired when the code is too old, and as failed when the answer is refused [L-EVT-003]", async (t) => {
  const login = await startLogin(t);
  const late = await login.authorize();
  const stream = await login.get(`/ds/events/${late.session}`, { cookie: late.cookie });
  const failing = await login.authorize();
  const failed = await login.get(`/ds/events/${failing.session}`, { cookie: failing.cookie });
  await login.callback({ ename: ADA, session: failing.session, signature: "bad" });
  assert.match(await failed.text(), /event: failed\n/);
  login.setNow(Date.now() + 301_000);
  assert.match(await stream.text(), /event: expired\n/);
});

test("a full connector refuses new logins and keeps those that wait [L-DEC-240] [L-DEC-241] [L-DEC-242]", async (t) => {
  const login = await startLogin(t, {
    limits: { pendingLogins: 5, startsPerMinute: 0, clientsPerHour: 10, perAddress: 0 },
  });
  const first = await login.authorize();
  for (let opened = 1; opened < 5; opened += 1) assert.equal((await login.authorize()).response.status, 200);
  const refused = await login.authorize();
  assert.deepEqual([refused.response.status, refused.response.headers.get("retry-after")], [503, "60"]);
  assert.match((await logIn(login, first)).get("code") ?? "", /\S/);
  assert.equal((await login.authorize()).response.status, 200, "a login that is over gives its place back");
});

test("an address starts a limited number of logins a minute [L-DEC-243]", async (t) => {
  const login = await startLogin(t, {
    limits: { pendingLogins: 100, startsPerMinute: 2, clientsPerHour: 10, perAddress: 0 },
  });
  const statuses = [];
  for (let index = 0; index < 3; index += 1) statuses.push((await login.authorize()).response.status);
  assert.deepEqual(statuses, [200, 200, 429]);
});

async function renew(login: TestLogin, opened: { readonly id: string; readonly cookie: string }): Promise<string> {
  const headers = { cookie: opened.cookie, "content-type": "application/x-www-form-urlencoded" };
  const renewed = await fetch(`${login.url}/login/${opened.id}/renew`, {
    method: "POST",
    headers,
    body: "",
    redirect: "manual",
  });
  assert.equal(renewed.status, 303);
  const page = await (await login.get(`/login/${opened.id}`, { cookie: opened.cookie })).text();
  return /session=([A-Za-z0-9_-]{43})/.exec(page)?.[1] ?? "";
}

test("an open event stream does not hold up the end of the connector [P5]", async (t) => {
  const login = await startLogin(t);
  const opened = await login.authorize();
  const stream = await login.get(`/ds/events/${opened.session}`, { cookie: opened.cookie });
  await login.close();
  assert.match(await stream.text(), /event: pending\n/);
});
