import assert from "node:assert/strict";
import { test } from "node:test";
import { type EName, parseEName } from "@dataspace/protocol/ename";
import { isSignableSession } from "@dataspace/protocol/wallet-uri";
import { createMemoryLoginStore, DEFAULT_LOGIN_BOUNDS } from "./memory-login-store.ts";
import type { CheckFailure, CheckOutcome, Signer } from "./wallet-check.ts";

const ADA = parseEName("@11111111-2222-4333-8444-555555555555");
const BOB = parseEName("@33333333-3333-4333-8333-333333333333");
const { most, sessionSeconds } = DEFAULT_LOGIN_BOUNDS;

function createTestStore() {
  let nowMs = 1_000_000;
  const store = createMemoryLoginStore({ clock: { nowMs: () => nowMs } });
  const open = async (secret?: string) => (await store.open(secret)) ?? assert.fail("no login was opened");
  const answer = (session: string, outcome: CheckOutcome<Signer> = signedBy(ADA)) =>
    store.answer(session, async () => outcome);
  const pass = (seconds: number): void => {
    nowMs += seconds * 1000;
  };
  return { store, open, answer, pass };
}

function signedBy(ename: EName): CheckOutcome<Signer> {
  return { signed: { ename, encoding: "base64" } };
}

test("the browser that opened a login takes it once its session is signed, and nobody takes it a second time (S2 Login flow)", async () => {
  const { store, open, answer } = createTestStore();
  const { session, secret } = await open();
  assert.ok(isSignableSession(session));
  assert.deepEqual(await open(secret), { session, secret }, "a page loaded again shows the same code");
  assert.equal(await store.take(secret), undefined);
  assert.deepEqual(await answer(session), signedBy(ADA));
  for (const other of [session, (await open()).secret]) assert.equal(await store.take(other), undefined);
  assert.equal(await store.take(secret), ADA);
  assert.equal(await store.take(secret), undefined);
  assert.notEqual((await open(secret)).session, session);
});

test("a used, an unknown and an outdated session are refused, each by its name (S2 Authentication)", async () => {
  const { store, open, answer, pass } = createTestStore();
  const { session, secret } = await open();
  await answer(session);
  assert.deepEqual(await answer(session, signedBy(BOB)), { failure: "session_used" });
  assert.equal(await store.take(secret), ADA);
  assert.deepEqual(await answer(session, signedBy(BOB)), { failure: "session_used" });
  pass(sessionSeconds + 1);
  assert.deepEqual(await answer(session, signedBy(BOB)), { failure: "unknown_session" });
  assert.deepEqual(await answer("made-up-by-somebody"), { failure: "unknown_session" });
});

test("an answer that fails, and a check that throws, end the session; its browser gets a new one (S2 Errors)", async () => {
  const failures: readonly CheckFailure[] = ["bad_signature", "no_certificate", "unknown_ename", "upstream_timeout"];
  for (const failure of [...failures, "throws"] as const) {
    const { store, open, answer } = createTestStore();
    const { session, secret } = await open();
    if (failure === "throws") {
      await assert.rejects(
        store.answer(session, () => Promise.reject(new Error("a bug"))),
        /a bug/,
      );
    } else {
      assert.deepEqual(await answer(session, { failure }), { failure });
    }
    assert.deepEqual(await answer(session), { failure: "session_used" });
    assert.equal(await store.take(secret), undefined);
    assert.notEqual((await open(secret)).session, session);
  }
});

test("a browser that looks while an answer is checked, or before it takes the login, keeps its login (S2 Login flow)", async () => {
  const { store, open } = createTestStore();
  const login = await open();
  const looks: unknown[] = [];
  await store.answer(login.session, async () => {
    looks.push(await store.take(login.secret), await open(login.secret));
    return signedBy(ADA);
  });
  assert.deepEqual([...looks, await open(login.secret)], [undefined, login, login]);
  assert.equal(await store.take(login.secret), ADA);
});

test("a login whose time ends while its answer is checked lets nobody in", async () => {
  const { store, open, pass } = createTestStore();
  const { session, secret } = await open();
  const result = await store.answer(session, async () => {
    pass(sessionSeconds + 1);
    return signedBy(ADA);
  });
  assert.deepEqual(result, { failure: "unknown_session" });
  assert.equal(await store.take(secret), undefined);
});

test("of 100 answers to one session at the same time, one is checked", async () => {
  const { store, open } = createTestStore();
  const { session, secret } = await open();
  let checks = 0;
  const results = await Promise.all(
    Array.from({ length: 100 }, () =>
      store.answer(session, async () => {
        checks += 1;
        return signedBy(ADA);
      }),
    ),
  );
  assert.equal(checks, 1);
  assert.equal(results.filter((result) => "signed" in result).length, 1);
  assert.equal(await store.take(secret), ADA);
});

test("a full store opens no login and drops none that waits; expired logins give their places back [decision L12]", async () => {
  const { store, open, answer, pass } = createTestStore();
  const { session, secret } = await open();
  for (let others = 1; others < most; others += 1) await open();
  assert.equal(await store.open(undefined), undefined);
  assert.deepEqual(await open(secret), { session, secret });
  await answer(session);
  assert.equal(await store.take(secret), ADA);
  pass(sessionSeconds + 1);
  assert.notEqual((await open()).session, session);
});
