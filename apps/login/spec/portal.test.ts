import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { crc32, deflateSync } from "node:zlib";
import { parseEName } from "@dataspace/protocol/ename";
import { create, NEW, signIn } from "./support/sign-in.ts";
import { ADA, CLIENT, startLogin } from "./support/start-login.ts";

const BOB = parseEName("@99999999-2222-4333-8444-555555555555");

test("a developer signs in by wallet; every page names the eName in full; signing out ends the session [L-AUTH-021] [L-DEC-223] [L-DEC-226] [L-DEC-228]", async (t) => {
  const login = await startLogin(t);
  assert.equal((await login.get("/portal")).headers.get("location"), "/portal/login");
  const developer = await signIn(login);
  assert.match(developer.portal, /^ds_portal=.*HttpOnly; SameSite=Strict/);
  for (const path of ["/portal", "/portal/clients/new", `/portal/clients/${CLIENT.id}`]) {
    const { answer, html } = await developer.get(path);
    assert.equal(answer.status, 200, path);
    assert.ok(html.includes(ADA), path);
    assert.equal(answer.headers.get("cross-origin-opener-policy"), "same-origin");
  }
  await developer.send("/portal/logout", {});
  assert.equal((await developer.get("/portal")).answer.headers.get("location"), "/portal/login");
});

test("the root leads to the portal, and a program that asks for JSON learns what is here [L-HTTP-013]", async (t) => {
  const login = await startLogin(t);
  for (const accept of ["text/html,application/json;q=0.9", "*/*"]) {
    const { status, headers } = await login.get("/", { accept });
    assert.deepEqual([status, headers.get("location"), headers.get("vary")], [302, "/portal", "Accept"], accept);
  }
  const answer = await login.get("/", { accept: "application/json" });
  const { service, links } = (await answer.json()) as { service: string; links: Record<string, string> };
  assert.equal(service, "login");
  for (const href of Object.values(links)) assert.ok((await login.get(href)).status < 400, href);
  const refused = await login.get("/nowhere", { accept: "text/html" });
  assert.deepEqual([refused.status, refused.headers.get("content-type")], [404, "text/html; charset=utf-8"]);
});

test("a new client's secret is shown once and stored as its hash; the client then logs people in [L-CLI-001] [L-CLI-003] [L-CLI-004] [L-CLI-005] [L-DEC-229] [L-HTTP-016]", async (t) => {
  const login = await startLogin(t);
  const developer = await signIn(login);
  const made = await create(developer);
  assert.equal(made.answer.status, 201);
  assert.match(made.html, /Client ID[\s\S]*Client secret/);
  assert.equal(Buffer.from(made.secret, "base64url").length, 32);
  const { rows } = await login.database.query<{ secret_hash: string }>({
    text: "select secret_hash from login_client where client_id = $1",
    values: [made.id],
  });
  assert.equal(rows[0]?.secret_hash, createHash("sha256").update(made.secret).digest("hex"));
  const { html } = await developer.get(`/portal/clients/${made.id}`);
  assert.ok(!html.includes(made.secret));
  for (const value of [
    `${login.url}/.well-known/openid-configuration`,
    "S256",
    "openid profile email",
    "client_secret_basic",
  ]) {
    assert.ok(html.includes(value), value);
  }
  const opened = await login.authorize({ client_id: made.id });
  assert.match(opened.page, /Log in to Notes/);
});

/** What is wrong with a redirect URI. */
const BAD_URIS = [
  "http://rp.example/callback",
  "https://user:password@rp.example/callback",
  "https://rp.example/callback#fragment",
  "https://*.rp.example/callback",
  "https://rp.example/callback?code=1",
  "javascript:alert(1)",
  "rp.example/callback",
  "https:rp.example",
  "",
];

test("a redirect URI is https, or http on a loopback host, without user info, fragment or wildcard [L-DEC-220] [L-DEC-221]", async (t) => {
  const login = await startLogin(t, {
    limits: { pendingLogins: 100, startsPerMinute: 0, clientsPerHour: 0, perAddress: 0 },
  });
  const developer = await signIn(login);
  for (const redirect_uris of BAD_URIS)
    assert.equal((await create(developer, { redirect_uris })).answer.status, 400, redirect_uris);
  for (const redirect_uris of [
    "http://localhost:3000/cb",
    "http://127.0.0.1/cb",
    "http://[::1]:1/cb",
    "https://a.example/x?y=1",
  ]) {
    assert.equal((await create(developer, { redirect_uris })).answer.status, 201, redirect_uris);
  }
});

test("a client's name has no invisible characters and 64 at most, and is shown as text [T-73] [T-74]", async (t) => {
  const login = await startLogin(t);
  const developer = await signIn(login);
  for (const name of ["", "a\u202eb", "zero\u200bwidth", "x".repeat(65), "line\nbreak"]) {
    assert.equal((await create(developer, { name })).answer.status, 400, JSON.stringify(name));
  }
  const made = await create(developer, { name: "<img src=x onerror=alert(1)>" });
  const opened = await login.authorize({ client_id: made.id });
  assert.ok(opened.page.includes("&lt;img src=x"));
  assert.ok(!opened.page.includes("<img src=x"));
});

test("the client above the hourly limit is refused, also when earlier ones were deleted [L-LIM-011] [T-77]", async (t) => {
  const login = await startLogin(t, {
    limits: { pendingLogins: 100, startsPerMinute: 0, clientsPerHour: 2, perAddress: 0 },
  });
  const developer = await signIn(login);
  const first = await create(developer);
  await developer.send(`/portal/clients/${first.id}/delete`, { confirmation: "Notes" });
  const answers = await Promise.all([create(developer), create(developer), create(developer)]);
  assert.deepEqual(answers.map(({ answer }) => answer.status).sort(), [201, 429, 429]);
  assert.equal((await create(await signIn(login, BOB))).answer.status, 201);
});

test("a form from another site, or without the session's token, changes nothing [T-71]", async (t) => {
  const login = await startLogin(t);
  const developer = await signIn(login);
  const foreign = [{ "sec-fetch-site": "cross-site" }, { origin: "https://evil.example" }];
  for (const headers of foreign)
    assert.equal((await developer.send("/portal/clients", NEW, headers)).answer.status, 403);
  assert.equal((await developer.send("/portal/clients", { ...NEW, token: "another" })).answer.status, 403);
});

test("somebody else's client is not found, and not changed [L-HTTP-016]", async (t) => {
  const login = await startLogin(t);
  const bob = await signIn(login, BOB);
  assert.equal((await bob.get(`/portal/clients/${CLIENT.id}`)).answer.status, 404);
  for (const path of ["", "/rotate", "/delete"]) {
    assert.equal(
      (await bob.send(`/portal/clients/${CLIENT.id}${path}`, { ...NEW, confirmation: CLIENT.name })).answer.status,
      404,
    );
  }
});

test("after a rotation the old secret works for a day, or until its developer ends it; the one before it ends at once", async (t) => {
  const login = await startLogin(t);
  const developer = await signIn(login);
  const rotate = async () => {
    const { html } = await developer.send(`/portal/clients/${CLIENT.id}/rotate`, {});
    return [...html.matchAll(/<code>([\w-]+)<\/code>/g)][1]?.[1] ?? "";
  };
  // A right secret with a wrong code is 400, a wrong secret 401.
  const isRight = async (client_secret: string) => (await login.token("any", { client_secret })).status === 400;
  const second = await rotate();
  assert.deepEqual([await isRight(CLIENT.secret), await isRight(second)], [true, true]);
  assert.match((await developer.get(`/portal/clients/${CLIENT.id}`)).html, /previous secret/);
  const third = await rotate();
  assert.deepEqual([await isRight(CLIENT.secret), await isRight(second), await isRight(third)], [false, true, true]);
  await developer.send(`/portal/clients/${CLIENT.id}/end-previous-secret`, {});
  assert.deepEqual([await isRight(second), await isRight(third)], [false, true]);
  const fourth = await rotate();
  login.setNow(Date.now() + 24 * 3_600_000 + 1_000);
  assert.deepEqual([await isRight(third), await isRight(fourth)], [false, true]);
});

test("a deleted client logs nobody in, and deleting asks for the name", async (t) => {
  const login = await startLogin(t);
  const developer = await signIn(login);
  assert.equal(
    (await developer.send(`/portal/clients/${CLIENT.id}/delete`, { confirmation: "no" })).answer.status,
    400,
  );
  assert.equal(
    (await developer.send(`/portal/clients/${CLIENT.id}/delete`, { confirmation: CLIENT.name })).answer.status,
    303,
  );
  assert.equal((await login.authorize()).response.status, 400);
});

test("a logo is encoded again as PNG and shown with its client; anything but a small image is refused [L-FLOW-010] [L-FLOW-011] [T-75]", async (t) => {
  const login = await startLogin(t, {
    limits: { pendingLogins: 100, startsPerMinute: 0, clientsPerHour: 0, perAddress: 0 },
  });
  const developer = await signIn(login);
  const hostile: readonly (readonly [string, Uint8Array])[] = [
    ["SVG", Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
    ["a PNG header of 50,000 x 50,000", png(50_000, 50_000)],
    ["1,025 pixels", png(1_025, 8)],
    ["text", Buffer.from("not an image")],
    ["300 KiB", Buffer.concat([png(8, 8), Buffer.alloc(300_000)])],
  ];
  for (const [what, bytes] of hostile) {
    const { answer } = await create(developer, { logo: new Blob([new Uint8Array(bytes)]) });
    assert.equal(answer.status, 400, what);
  }
  const made = await create(developer, { logo: new Blob([new Uint8Array(png(64, 64))]) });
  assert.equal(made.answer.status, 201);
  const { page } = await login.authorize({ client_id: made.id });
  const logo = `${login.url}/clients/${made.id}/logo.png`;
  assert.ok(page.includes(`logo=${encodeURIComponent(logo)}`) && page.includes(`src="${logo}"`));
  const shown = await fetch(logo);
  assert.deepEqual(
    [shown.headers.get("content-type"), shown.headers.get("x-content-type-options")],
    ["image/png", "nosniff"],
  );
  const { page: without } = await login.authorize();
  assert.ok(without.includes('src="/logo.png"') && !without.includes("logo=http"));
});

test("the time of last use changes when a code is exchanged [L-CLI-011]", async (t) => {
  const login = await startLogin(t);
  const developer = await signIn(login);
  assert.match((await developer.get("/portal")).html, /Never/);
  const opened = await login.authorize();
  await login.callback({ ename: BOB, session: opened.session, signature: "good" });
  const led = await login.get(`/login/${opened.id}`, { cookie: opened.cookie });
  const code = new URL(led.headers.get("location") ?? "about:blank").searchParams.get("code") ?? "";
  assert.equal((await login.token(code)).status, 200);
  await new Promise((resolve) => setTimeout(resolve, 100));
  assert.doesNotMatch((await developer.get("/portal")).html, /Never/);
});

/** A PNG of one colour; its header says the size, its data may be shorter than that. */
function png(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const rows = width * height > 1_000_000 ? Buffer.alloc(10) : Buffer.alloc(height * (1 + 3 * width));
  const start = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    start,
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(rows)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

test("the portal's own logins count against what an address may start [L-DEC-243]", async (t) => {
  const login = await startLogin(t, {
    limits: { pendingLogins: 100, startsPerMinute: 2, clientsPerHour: 10, perAddress: 0 },
  });
  const statuses = [];
  for (let index = 0; index < 3; index += 1) statuses.push((await login.get("/portal/login")).status);
  assert.deepEqual(statuses, [200, 200, 429]);
});
