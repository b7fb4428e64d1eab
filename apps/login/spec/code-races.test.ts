import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { logIn, startLogin, type TestLogin } from "./support/start-login.ts";

const EXCHANGES = 100;
const ROUNDS = 3;
const SLOWEST_MS = 40;

/** Exchanges one code a hundred times at once. */
async function race(login: TestLogin): Promise<void> {
  const code = (await logIn(login, await login.authorize())).get("code") ?? "";
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

test("the same while the client is read slowly, in another order than asked [L-DEC-105] [T-57]", async (t) => {
  let asked = 0;
  const login = await startLogin(t, {
    wrapDatabase: (database) => ({
      ...database,
      query: async (statement) => {
        asked += 1;
        await wait((asked * 17) % SLOWEST_MS);
        return database.query(statement);
      },
    }),
  });
  for (let round = 0; round < ROUNDS; round += 1) await race(login);
  assert.ok(asked > EXCHANGES);
});
