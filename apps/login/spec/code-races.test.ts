import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { logIn, startLogin, type TestLogin } from "./support/start-login.ts";

const EXCHANGES = 100;
const ROUNDS = 3;
const SLOWEST_MS = 40;
/** Longer than a client is cached, shorter than a code lives. */
const CACHE_MS = 31_000;

/** Exchanges one code a hundred times at once. */
async function race(login: TestLogin, beforeExchange: () => void = () => undefined): Promise<void> {
  const code = (await logIn(login, await login.authorize())).get("code") ?? "";
  beforeExchange();
  const answers = await Promise.all(
    Array.from({ length: EXCHANGES }, async () => {
      const answer = await login.token(code);
      return { status: answer.status, body: (await answer.json()) as Readonly<Record<string, string>> };
    }),
  );
  const [won, ...others] = answers.filter(({ status }) => status === 200);
  assert.ok(won !== undefined && others.length === 0, `${others.length + (won ? 1 : 0)} exchanges succeed`);
  const refused = answers.filter(({ status }) => status === 400).map(({ body }) => body["error"]);
  assert.deepEqual(
    refused,
    Array.from({ length: EXCHANGES - 1 }, () => "invalid_grant"),
  );
  const info = await login.get("/userinfo", { authorization: `Bearer ${won.body["access_token"]}` });
  assert.equal(info.status, 401, "the token of the one that succeeded is revoked");
}

test("of 100 exchanges of one code at once exactly one succeeds, and its token is revoked [L-DEC-105] [T-57]", async (t) => {
  const login = await startLogin(t);
  for (let round = 0; round < ROUNDS; round += 1) await race(login);
});

test("the same while the client is read slowly, once for all of them [L-DEC-105] [T-57]", async (t) => {
  let asked = 0;
  let shiftMs = 0;
  const login = await startLogin(t, {
    wrapDatabase: (database) => ({
      ...database,
      query: async (statement) => {
        if ("name" in statement && statement.name === "login_client_find") asked += 1;
        await wait(SLOWEST_MS);
        return database.query(statement);
      },
    }),
  });
  const dropCache = (): void => {
    shiftMs += CACHE_MS;
    login.setNow(Date.now() + shiftMs);
    asked = 0;
  };
  for (let round = 0; round < ROUNDS; round += 1) {
    await race(login, dropCache);
    assert.equal(asked, 1);
  }
});
