import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import Fastify from "fastify";
import { createLog } from "../log.ts";
import { sweepWhileServing } from "./sweep-while-serving.ts";

const log = createLog({ service: "test", level: "silent", pretty: false });
const QUARTER_OF_AN_HOUR_MS = 900_000;

test("each thing is swept part by part until nothing is left, again every quarter of an hour, and a failure stops no other", async (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] });
  const left = { uploads: 2, tokens: 1 };
  const swept: string[] = [];
  const part = (what: keyof typeof left) => async () => {
    swept.push(`${what} ${left[what]}`);
    if (what === "tokens" && left.tokens === 9) throw new Error("the database is away");
    const had = left[what];
    left[what] = Math.max(0, had - 1);
    return had - left[what];
  };
  await using app = Fastify();
  sweepWhileServing(app, log, [
    { what: "tokens", sweep: part("tokens") },
    { what: "uploads", sweep: part("uploads") },
  ]);
  const untilQuiet = async (entries: number) => {
    while (swept.length < entries) await turn();
    await turn();
    return swept.splice(0);
  };
  await app.ready();
  assert.deepEqual(swept, [], "not before it listens");
  await app.listen({ port: 0 });
  assert.deepEqual(await untilQuiet(5), ["tokens 1", "tokens 0", "uploads 2", "uploads 1", "uploads 0"]);
  left.tokens = 9;
  t.mock.timers.tick(QUARTER_OF_AN_HOUR_MS);
  assert.deepEqual(await untilQuiet(2), ["tokens 9", "uploads 0"]);
  left.tokens = 0;
  t.mock.timers.tick(QUARTER_OF_AN_HOUR_MS);
  assert.deepEqual(await untilQuiet(2), ["tokens 0", "uploads 0"]);
});

test("an app closes in the middle of what has no end, once the part under way is done", async () => {
  const begun = Promise.withResolvers<void>();
  const parts = { begun: 0, done: 0 };
  const app = Fastify();
  const sweep = async () => {
    parts.begun += 1;
    begun.resolve();
    await turn();
    parts.done += 1;
    return 1;
  };
  sweepWhileServing(app, log, [{ what: "rows without end", sweep }]);
  await app.listen({ port: 0 });
  await begun.promise;
  await app.close();
  const { begun: atClose } = parts;
  assert.equal(parts.done, atClose);
  await turn();
  assert.equal(parts.begun, atClose);
});
