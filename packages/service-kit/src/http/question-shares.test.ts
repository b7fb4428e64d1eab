import assert from "node:assert/strict";
import { test } from "node:test";
import { createLog } from "../log.ts";
import { createHttpServer } from "./http-server.ts";
import { createQuestionShares } from "./question-shares.ts";

test("createQuestionShares(): each address and each proven caller has its share for a minute; work outside of requests has no limit [decision V25]", async (t) => {
  let nowMs = 1;
  const shares = createQuestionShares({ clock: { nowMs: () => nowMs } }, { perMinute: 2 });
  const app = createHttpServer({
    log: createLog({ service: "test", level: "silent", pretty: false }),
    bodyLimitBytes: 1_000,
    cors: { origins: "any" },
    allowedHeaders: [],
  });
  t.after(() => app.close());
  shares.countRequests(app);
  app.post("/", async (request) => {
    const caller = request.headers["x-caller"];
    if (typeof caller === "string") shares.countFor(caller);
    return [shares.take()];
  });
  const ask = async (remoteAddress: string, headers = {}) =>
    (await app.inject({ url: "/", method: "POST", payload: {}, remoteAddress, headers })).json()[0];
  const inTurn = async (asked: readonly (() => Promise<boolean>)[]) => {
    const answers = [];
    for (const one of asked) answers.push(await one());
    return answers;
  };
  const [one, other] = [() => ask("192.0.2.1"), () => ask("192.0.2.2")];
  const proven = () => ask("192.0.2.1", { "x-caller": "@a" });
  assert.deepEqual(await inTurn([one, one, one, other, proven]), [true, true, false, true, true]);
  nowMs = 59_999;
  assert.deepEqual(await inTurn([one, proven, proven]), [false, true, false]);
  nowMs = 60_002;
  assert.deepEqual(await inTurn([one, one, one]), [true, true, false]);
  assert.deepEqual([shares.take(), shares.take(), shares.take()], [true, true, true]);
});
