import assert from "node:assert/strict";
import { test } from "node:test";
import { UpstreamError } from "@dataspace/clients/upstream-error";
import { parseEName } from "@dataspace/protocol/ename";
import { isSignableSession } from "@dataspace/protocol/wallet-uri";
import { createLog } from "@dataspace/service-kit/log";
import type { HasSigned } from "@dataspace/clients/has-signed";
import { createLogins, LOGIN_SECONDS } from "./logins.ts";

const ADA = parseEName("@11111111-2222-4333-8444-555555555555");
const BOB = parseEName("@33333333-3333-4333-8333-333333333333");
const GOOD = "good";
const log = createLog({ service: "sample-platform", level: "silent", pretty: false });

function createTestLogins(hasSigned: HasSigned = async ({ signature, fresh }) => signature === GOOD && fresh === true) {
  let nowMs = 1_000_000;
  const logins = createLogins({ clock: { nowMs: () => nowMs }, log, hasSigned });
  const pass = (seconds: number): void => {
    nowMs += seconds * 1000;
  };
  return { logins, pass };
}

const answerOf = (session: string, changes: { ename?: typeof ADA; signature?: string } = {}) => ({
  ename: ADA,
  session,
  signature: GOOD,
  ...changes,
});

test("the browser that asked for a login collects it once its session is signed, and nobody a second time (S2 Login flow)", async () => {
  const { logins } = createTestLogins();
  const { session, keep } = logins.open(undefined);
  assert.ok(isSignableSession(session));
  assert.deepEqual(logins.open(keep), { session, keep }, "a page loaded again shows the same code");
  assert.equal(logins.collect(keep), undefined);
  await logins.answer(answerOf(session));
  for (const other of [undefined, session, logins.open(undefined).keep]) assert.equal(logins.collect(other), undefined);
  assert.equal(logins.collect(keep), ADA);
  assert.equal(logins.collect(keep), undefined);
  assert.notEqual(logins.open(keep).session, session);
});

test("a replayed, an unknown and an outdated session are refused, each by its code (S2 Authentication)", async () => {
  const { logins, pass } = createTestLogins();
  const { session, keep } = logins.open(undefined);
  const refused = (code: string) => assert.rejects(logins.answer(answerOf(session, { ename: BOB })), { code });
  await logins.answer(answerOf(session));
  await refused("SESSION_USED");
  assert.equal(logins.collect(keep), ADA);
  await refused("SESSION_USED");
  pass(LOGIN_SECONDS + 1);
  await refused("UNKNOWN_SESSION");
  await assert.rejects(logins.answer(answerOf("made-up-by-somebody")), { code: "UNKNOWN_SESSION", status: 404 });
});

test("a bad signature, and keys that are not available, refuse the login and end it; its browser gets a new one (S2 Errors)", async () => {
  const refusal = { status: 404, code: "UNKNOWN_ENAME", body: undefined };
  const cases = [
    [undefined, "INVALID_SIGNATURE", 401],
    [new UpstreamError("timeout", "late"), "KEYS_UNAVAILABLE", 503],
    [new UpstreamError("refused", "unknown", { refusal }), "INVALID_SIGNATURE", 401],
  ] as const;
  for (const [failure, code, status] of cases) {
    let isGood = false;
    const { logins } = createTestLogins(async () => {
      if (failure !== undefined && !isGood) throw failure;
      return isGood;
    });
    const { session, keep } = logins.open(undefined);
    await assert.rejects(logins.answer(answerOf(session)), { code, status });
    isGood = true;
    await assert.rejects(logins.answer(answerOf(session)), { code: "SESSION_USED", status: 409 });
    assert.equal(logins.collect(keep), undefined);
    assert.notEqual(logins.open(keep).session, session);
  }
});

test("a browser that looks while a wallet's answer is checked, or before it collects, keeps its login (S2 Login flow)", async () => {
  const looks: unknown[] = [];
  const { logins } = createTestLogins(async () => {
    looks.push(logins.collect(login.keep), logins.open(login.keep));
    return true;
  });
  const login = logins.open(undefined);
  await logins.answer(answerOf(login.session));
  assert.deepEqual([...looks, logins.open(login.keep)], [undefined, login, login]);
  assert.equal(logins.collect(login.keep), ADA);
});

test("a login whose time is over while its keys are asked for lets nobody in", async () => {
  const { logins, pass } = createTestLogins(async () => {
    pass(LOGIN_SECONDS + 1);
    return true;
  });
  const { session, keep } = logins.open(undefined);
  await assert.rejects(logins.answer(answerOf(session)), { code: "UNKNOWN_SESSION" });
  assert.equal(logins.collect(keep), undefined);
});

test("of two who answer one session at the same time, one is let in", async () => {
  const { logins } = createTestLogins();
  const { session, keep } = logins.open(undefined);
  const answers = await Promise.allSettled([ADA, BOB].map((ename) => logins.answer(answerOf(session, { ename }))));
  assert.deepEqual(
    answers.map(({ status }) => status),
    ["fulfilled", "rejected"],
  );
  assert.equal(logins.collect(keep), ADA);
});

test("a flood of logins is refused when the map is full, and a login that waits for its wallet is never evicted [decision L12]", async () => {
  const { logins, pass } = createTestLogins();
  const { session, keep } = logins.open(undefined);
  for (let others = 1; others < 12_000; others += 1) logins.open(undefined);
  assert.throws(() => logins.open(undefined), { code: "TOO_MANY_LOGINS", status: 503 });
  assert.deepEqual(logins.open(keep), { session, keep });
  await logins.answer(answerOf(session));
  assert.equal(logins.collect(keep), ADA);
  pass(LOGIN_SECONDS + 1);
  assert.notEqual(logins.open(undefined).session, session);
});
