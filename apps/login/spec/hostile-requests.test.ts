import assert from "node:assert/strict";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { measureLoopHolds } from "@dataspace/service-kit/testing/loop-holds";
import { ADA, CLIENT, logIn, startLogin } from "./support/start-login.ts";

const LONGEST_HOLD_MS = 75;
/** How many starts and how many answers are sent; T-59 names 50,000 of each. */
const FLOOD = Number(process.env["DS_LOGIN_FLOOD"] ?? 600);
const MOST_LEFT_BYTES = 64 * 2 ** 20;
const PLACES = 200;

/** What differs from the registered https://rp.example/callback, and must not be taken for it. */
const OTHER_URIS = [
  ...["http://rp.example/callback", "HTTPS://rp.example/callback", "https://RP.example/callback"],
  ...["https://rp.example:443/callback", "https://rp.example:8443/callback", "https://rp.example./callback"],
  ...["https://rp.example/Callback", "https://rp.example/callback/", "https://rp.example//callback"],
  ...["https://rp.example/callback?", "https://rp.example/callback?x=1", "https://rp.example/callback#"],
  ...["https://rp.example/callback#x", "https://rp.example/callback/../callback", "https://rp.example/./callback"],
  ...["https://rp.example/%63allback", "https://rp.example/callback%2f", "https://rp.example/callback%00"],
  ...["https://rp.example/callback;x", "https://rp.example/callback%20", "https://rp.example/callback "],
  ...[" https://rp.example/callback", "https://rp.example\\callback", "https:\\\\rp.example\\callback"],
  ...["https://user@rp.example/callback", "https://rp.example@evil.example/callback", "//rp.example/callback"],
  ...["https://evil.example/callback", "https://rp.example.evil.example/callback", "https://evilrp.example/callback"],
  ...["https://evil.example/https://rp.example/callback", "https://rp.exаmple/callback", "/callback", "callback"],
  ...["javascript:alert(1)//https://rp.example/callback", "data:text/html,x", "https://rp.example", "https://"],
  ...["https://rp.example/callback,https://evil.example", "https://rp.example/callback\nhttps://evil.example", ""],
  ...["https://rp.example/callback\u0000", "https://rp.example/callback\u202e", "https://[::1]/callback", "*"],
  ...[
    "https://*.example/callback",
    "https://rp.example/*",
    "urn:ietf:wg:oauth:2.0:oob",
    "https://rp.example:0/callback",
  ],
  ...["https://rp.example/callback".repeat(50), "https://rp%2eexample/callback", "https:/rp.example/callback"],
  ...["https:rp.example/callback", "HTTPS://RP.EXAMPLE/CALLBACK", "https://rp.example/callback/%2e%2e"],
];

test("of redirect URIs that nearly are the registered one, none is redirected to [T-54]", async (t) => {
  const login = await startLogin(t);
  const holds = measureLoopHolds();
  t.after(() => holds.end());
  for (const redirect_uri of OTHER_URIS) {
    const { response } = await login.authorize({ redirect_uri });
    assert.deepEqual([response.status, response.headers.get("location")], [400, null], JSON.stringify(redirect_uri));
  }
  const heldMs = holds.end();
  assert.ok(heldMs < LONGEST_HOLD_MS, `${heldMs} ms`);
});

test("a cookie that was planted, cut, or made for another login collects nothing [T-52]", async (t) => {
  const login = await startLogin(t);
  const [victim, attacker] = [await login.authorize(), await login.authorize()];
  await login.callback({ ename: ADA, session: victim.session, signature: "good" });
  const [name = "", secret = ""] = victim.cookie.split("=");
  const [, others = ""] = attacker.cookie.split("=");
  for (const cookie of [
    "",
    `${name}=`,
    `${name}=${others}`,
    `${name}=${secret}x`,
    `${name}=${victim.session}`,
    `${name}=${secret.slice(1)}`,
  ]) {
    const led = await login.get(`/login/${victim.id}`, { cookie });
    assert.equal(led.headers.get("location"), null, cookie);
    const state = await login.get(`/ds/events/${victim.session}`, { cookie });
    assert.equal(state.status, 403, cookie);
  }
  const led = await login.get(`/login/${victim.id}`, { cookie: victim.cookie });
  assert.match(led.headers.get("location") ?? "", /code=/);
});

test("session, browser secret and request are independent and never repeat, and the cookie has its flags [L-SES-001]", async (t) => {
  const login = await startLogin(t, { issuer: "https://login.example" });
  const opened = await Promise.all(Array.from({ length: 50 }, () => login.authorize()));
  const values = opened.flatMap(({ id, session, cookie }) => [id, session, cookie.split("=")[1]]);
  assert.equal(new Set(values).size, 150);
  for (const { response } of opened) {
    const [cookie = "", ...more] = response.headers.getSetCookie();
    assert.deepEqual(more, []);
    assert.match(
      cookie,
      /^__Host-ds_login_[0-9a-f]{12}=[\w-]{43}; Max-Age=3600; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
  }
});

test("login pages send the headers that keep them apart from others [L-DEC-224]", async (t) => {
  const login = await startLogin(t);
  const { response } = await login.authorize();
  const { headers } = response;
  assert.match(headers.get("content-security-policy") ?? "", /default-src 'none'.*frame-ancestors 'none'/);
  assert.deepEqual(
    ["x-frame-options", "x-content-type-options", "referrer-policy", "cache-control"].map((name) => headers.get(name)),
    ["DENY", "nosniff", "no-referrer", "no-store"],
  );
});

test("registration, introspection, revocation and logout are not served, and another site's page exchanges no code [L-DEC-104]", async (t) => {
  const login = await startLogin(t);
  for (const path of [
    "/reg",
    "/token/introspection",
    "/token/revocation",
    "/session/end",
    "/request",
    "/device/auth",
  ]) {
    assert.equal((await fetch(`${login.url}${path}`, { method: "POST" })).status, 404, path);
  }
  const code = (await logIn(login, await login.authorize())).get("code") ?? "";
  const body = new URLSearchParams({ grant_type: "authorization_code", code, client_id: CLIENT.id });
  const foreign = await fetch(`${login.url}/token`, {
    method: "POST",
    headers: { origin: "https://evil.example" },
    body,
  });
  assert.equal(foreign.status, 400);
  assert.notEqual(foreign.headers.get("access-control-allow-origin"), "https://evil.example");
});

test("a flood of starts and of answers to unknown sessions asks nobody, leaves an honest login alone, and leaves nothing behind [T-59] [L-DEC-241]", async (t) => {
  let checks = 0;
  const login = await startLogin(t, {
    limits: { pendingLogins: PLACES, startsPerMinute: 0, clientsPerHour: 10, perAddress: 0 },
    check: async ({ ename }) => {
      checks += 1;
      return { signed: { ename, amr: "swk", signedAtSeconds: 1, profile: {} } };
    },
  });
  const honest = await login.authorize();
  const statuses: number[] = [];
  const before = bytesInUse();
  for (let sent = 0; sent < FLOOD; sent += 50) {
    const starts = Array.from({ length: 50 }, async () => (await login.authorize()).response.status);
    const answers = Array.from({ length: 50 }, async (_, index) => {
      const session = String(sent + index).padStart(43, "a");
      return (await login.callback({ ename: ADA, session, signature: "good" })).status;
    });
    statuses.push(...(await Promise.all([...starts, ...answers])));
  }
  const counts = [200, 503, 404].map((status) => statuses.filter((found) => found === status).length);
  assert.deepEqual(counts, [PLACES - 1, FLOOD - PLACES + 1, FLOOD]);
  assert.equal(checks, 0);
  const left = bytesInUse() - before;
  assert.ok(left < MOST_LEFT_BYTES, `${left} bytes more are in use after the flood`);
  t.diagnostic(`${FLOOD} starts and ${FLOOD} answers leave ${(left / 2 ** 20).toFixed(1)} MiB in use`);
  const sizes = await login.metrics();
  assert.match(sizes, new RegExp(`^login_pending ${PLACES}$`, "m"));
  assert.match(sizes, new RegExp(`^login_requests ${PLACES}$`, "m"));
  assert.match((await logIn(login, honest)).get("code") ?? "", /\S/);
});

/** What the process uses after a full collection, buffers included. */
function bytesInUse(): number {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
