import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { findShownSession, openPageVisitor } from "@dataspace/service-kit/testing/page-visitor";
import { answerRequest, askToSign, GRANT, signAs, signIn } from "./support/review-visitor.ts";
import { type Person, startTestAuthority, type TestAuthority } from "./support/start-test-authority.ts";

const LIST = "/review/submissions";
const ended: (() => unknown)[] = [];
const life = { after: (end: () => unknown) => ended.push(end) } as unknown as Parameters<typeof startTestAuthority>[0];
let authority: TestAuthority;
let rival: Person;
let versions = 0;

before(async () => {
  const reviewers = ["@55555555-5555-4555-8555-555555555555", "@77777777-7777-4777-8777-777777777777"] as const;
  authority = await startTestAuthority(life, { reviewers: reviewers as never });
  rival = await authority.addPerson(reviewers[1]);
});
after(async () => {
  for (const end of ended.reverse()) await end();
});

const submitNew = () => authority.submit({ version: `2.${versions++}.0` });
const statusOf = async (id: string) => (await authority.get(`/submissions/${id}`)).body.status;
const decisionPath = (id: string) => `${LIST}/${id}/decision`;

test("whoever is not signed in is led to sign in, whatever they ask for, and a wallet of no reviewer gets a sentence and no session [decision A6]", async () => {
  const stranger = openPageVisitor(authority.url);
  const id = await submitNew();
  const paths = ["", "/submissions", `/submissions/${id}`, "/certificates", "/log", "/requests/aaaaaaaaaaaaaaaa"];
  for (const path of paths) assert.equal((await stranger.open(`/review${path}`)).location, "/review/sign-in", path);
  assert.equal((await stranger.send(decisionPath(id), GRANT)).location, "/review/sign-in");
  const session = findShownSession(await stranger.open("/review/sign-in"));
  const { author } = authority;
  const signed = { ename: author.ename, session, signature: await signAs(author, session) };
  assert.equal((await authority.post("/review/callback", signed)).status, 200);
  const refused = await stranger.open("/review/sign-in");
  assert.match(refused.location ?? "", /^\/review\/refused\?ename=/);
  const said = await stranger.open(refused.location ?? "");
  assert.match(said.html, /You are not a reviewer.*@33333333-3333-4333-8333-333333333333/s);
  assert.equal((await stranger.open(LIST)).location, "/review/sign-in");
  assert.equal(await statusOf(id), "pending");
});

test("a sign-in serves the browser that showed its code and no other, and its cookies are out of reach of scripts and other sites [decision L11]", async () => {
  const [here, there] = [openPageVisitor(authority.url), openPageVisitor(authority.url)];
  const shown = await here.open("/review/sign-in");
  assert.match(
    shown.headers.getSetCookie()[0] ?? "",
    /^__Host-ds_review_sign_in=[^;]{43}; .*HttpOnly; Secure; SameSite=Lax$/,
  );
  const session = findShownSession(shown);
  const { reviewer } = authority;
  const forged = { ename: reviewer.ename, session, signature: await signAs(rival, session) };
  const wrong = await authority.post("/review/callback", forged);
  assert.deepEqual([wrong.status, wrong.body.error.code], [401, "INVALID_SIGNATURE"]);
  const signature = await signAs(reviewer, session);
  await authority.post("/review/callback", { ename: reviewer.ename, session, signature });
  await there.open("/review/sign-in");
  assert.equal((await there.open(LIST)).location, "/review/sign-in");
  const taken = await here.open("/review/sign-in");
  const cookie = taken.headers.getSetCookie().find((line) => line.startsWith("__Host-ds_review="));
  assert.match(cookie ?? "", /Max-Age=28800; Path=\/; HttpOnly; Secure; SameSite=Strict$/);
  assert.equal((await here.open(LIST)).status, 200);
  const again = await authority.post("/review/callback", { ename: reviewer.ename, session, signature });
  assert.equal(again.status, 404);
});

test("a form of another site, of another visit or without its token asks nobody to sign [T-71]", async () => {
  const visitor = await signIn(authority, authority.reviewer);
  const other = await signIn(authority, rival);
  const id = await submitNew();
  const token = /name="token" value="([^"]+)"/.exec((await other.open(`${LIST}/${id}`)).html)?.[1] ?? "";
  const own = { "sec-fetch-site": "same-origin" };
  const forms: readonly [Record<string, string>, Record<string, string>][] = [
    [{}, { "sec-fetch-site": "cross-site" }],
    [{}, { "sec-fetch-site": "same-site" }],
    [{}, { origin: "https://elsewhere.example" }],
    [{ token: "" }, own],
    [{ token }, own],
  ];
  for (const [fields, headers] of forms) {
    const { status, html } = await visitor.send(decisionPath(id), { ...GRANT, ...fields }, headers);
    assert.equal(status, 403, JSON.stringify([fields, headers]));
    assert.match(html, /FOREIGN_FORM/);
  }
  const { rowCount } = await authority.database.query({
    text: `select from review_request where subject = '${id}'`,
    values: [],
  });
  assert.equal(rowCount, 0);
});

test("only the reviewer's signature over this request decides, and it decides once [decision A6, I6]", async () => {
  const { reviewer } = authority;
  const visitor = await signIn(authority, reviewer);
  const [id, otherId] = [await submitNew(), await submitNew()];
  const { at, request } = await askToSign(visitor, decisionPath(id), GRANT);
  const { request: other } = await askToSign(visitor, decisionPath(otherId), { decision: "denied", reason: "no" });
  assert.match(request.text, /^ds:review:v1:[A-Za-z0-9_-]{43}$/);
  const refused: readonly [object, string][] = [
    [{ signature: await signAs(rival, request.text) }, "INVALID_SIGNATURE"],
    [{ signature: await signAs(reviewer, other.text) }, "INVALID_SIGNATURE"],
    [{ signature: await signAs(reviewer, request.session) }, "INVALID_SIGNATURE"],
    [{ signature: await signAs(reviewer, other.text), message: other.text }, "INVALID_SIGNATURE"],
    [{ dsid: rival.ename }, "INVALID_SIGNATURE"],
    [{ dsid: "somebody" }, "INVALID_SIGNATURE"],
    [{ signature: "" }, "BAD_REQUEST"],
    [{ signature: "a".repeat(1_025) }, "BAD_REQUEST"],
    [{ sessionId: ["a"] }, "BAD_REQUEST"],
    [{ sessionId: "a".repeat(43) }, "UNKNOWN_SESSION"],
  ];
  for (const [change, code] of refused) {
    const { body } = await answerRequest(authority, reviewer, request, change);
    assert.equal(body.error.code, code, JSON.stringify(change));
  }
  assert.deepEqual([await statusOf(id), await statusOf(otherId)], ["pending", "pending"]);
  const another = await signIn(authority, reviewer);
  assert.equal((await another.open(at)).status, 404, "another browser of the same reviewer");
  const answers = await Promise.all(Array.from({ length: 5 }, () => answerRequest(authority, reviewer, request)));
  const outcomes = answers.map(({ status, body }) => body.error?.code ?? status).sort();
  assert.deepEqual(outcomes, [200, ...Array.from({ length: 4 }, () => "SESSION_USED")]);
  assert.equal((await visitor.open(at)).location, `${LIST}/${id}`);
  const { body } = await authority.get(`/submissions/${id}`);
  assert.deepEqual([body.status, body.decision.decidedBy], ["granted", reviewer.ename]);
  const issued = await authority.database.query({
    text: `select from certificate where submission_id = '${id}'`,
    values: [],
  });
  assert.equal(issued.rowCount, 1);
});

test("of two decisions at once one is taken, and the other one's page says why nothing was done [decision A1]", async () => {
  const { reviewer } = authority;
  const [one, two] = [await signIn(authority, reviewer), await signIn(authority, rival)];
  const id = await submitNew();
  const grant = await askToSign(one, decisionPath(id), GRANT);
  const deny = await askToSign(two, decisionPath(id), { decision: "denied", reason: "unknown author" });
  const [granted, denied] = await Promise.all([
    answerRequest(authority, reviewer, grant.request),
    answerRequest(authority, rival, deny.request),
  ]);
  assert.deepEqual([granted.status, denied.status].sort(), [200, 409]);
  const [loser, visitor] = granted.status === 409 ? [grant, one] : [deny, two];
  const { status, html } = await visitor.open(loser.at);
  assert.equal(status, 200);
  assert.match(html, /Nothing was decided.*The submission was (granted|denied) at/s);
  const late = await visitor.send(decisionPath(id), GRANT);
  assert.deepEqual([late.status, /The submission was/.test(late.html)], [409, true]);
  const repeated = await answerRequest(authority, granted.status === 409 ? reviewer : rival, loser.request);
  assert.equal(repeated.body.error.code, "SESSION_USED");
});

test("a request may be signed for 5 minutes, by somebody who is a reviewer still [decision A6]", async () => {
  const { reviewer } = authority;
  const visitor = await signIn(authority, reviewer);
  const id = await submitNew();
  const { request } = await askToSign(visitor, decisionPath(id), GRANT);
  const without = await startTestAuthority(life, { database: authority.database, reviewers: [rival.ename] });
  const taken = { sessionId: request.session, signature: await signAs(reviewer, request.text) };
  await without.addPerson(reviewer.ename);
  assert.equal((await without.post("/review/signature", taken)).body.error.code, "INVALID_SIGNATURE", "a replaced key");
  without.adopt(reviewer);
  assert.equal((await without.post("/review/signature", taken)).body.error.code, "FORBIDDEN");
  authority.shift(300_000);
  const late = await answerRequest(authority, reviewer, request);
  assert.equal(late.body.error.code, "UNKNOWN_SESSION");
  const { html } = await visitor.open(`/review/requests/${request.session}`);
  assert.match(html, /The time to sign is over/);
  authority.shift(0);
  assert.equal(await statusOf(id), "pending");
});

test("sign-ins and unsigned decisions are bounded, and a flood locks nobody out who waits [decision L12, V25]", async () => {
  const { reviewer } = authority;
  const visitor = await signIn(authority, rival);
  const id = await submitNew();
  const { request } = await askToSign(visitor, decisionPath(id), GRANT);
  const sent = await Promise.all(Array.from({ length: 30 }, () => visitor.send(decisionPath(id), GRANT)));
  const statuses = sent.map(({ status }) => status);
  assert.ok(statuses.includes(429) && statuses.filter((status) => status === 303).length < 20, statuses.join());
  assert.equal((await answerRequest(authority, rival, request)).status, 200);
  for (let n = 0; n < 11; n += 1) await signIn(authority, reviewer);
  const { rowCount } = await authority.database.query({
    text: "select from review_visit where ename = $1",
    values: [reviewer.ename],
  });
  assert.equal(rowCount, 10);
  const limited = await startTestAuthority(life, {
    database: authority.database,
    limits: { perAddress: 0, submissions: 0, signIns: 2 },
  });
  const waiting = openPageVisitor(limited.url);
  const open = (who: typeof waiting) => who.open("/review/sign-in").then(({ status }) => status);
  assert.deepEqual([await open(waiting), await open(openPageVisitor(limited.url))], [200, 200]);
  assert.deepEqual([await open(openPageVisitor(limited.url)), await open(waiting)], [429, 200]);
  const flood = `insert into review_sign_in (session, expires_at) select 's' || n, now() + interval '1 minute' from generate_series(1, 12000) n`;
  await authority.database.query({ text: flood, values: [] });
  const full = await openPageVisitor(authority.url).open("/review/sign-in");
  assert.deepEqual([full.status, full.headers.get("content-type")], [503, "text/html; charset=utf-8"]);
  assert.equal(await open(waiting), 200);
});
