import assert from "node:assert/strict";
import { test } from "node:test";
import { parseEName } from "@dataspace/protocol/ename";
import { createIsKnown } from "./known-enames.ts";
import { UpstreamError } from "./upstream-error.ts";

const ENAME = parseEName("@00000000-0000-4000-8000-000000000001");

test("the registry's answer is cached for a minute, a failure is not [V-DEC-783] [V-DEC-784]", async () => {
  let nowMs = 1_000;
  let asked = 0;
  let answer: () => undefined | { ename: typeof ENAME; uri: string; vault: string } = () => {
    throw new UpstreamError("unreachable", "down");
  };
  const registry = {
    resolve: async () => {
      asked += 1;
      return answer();
    },
  };
  const isKnown = createIsKnown({ clock: { nowMs: () => nowMs }, registry });
  await assert.rejects(isKnown(ENAME), UpstreamError);
  answer = () => undefined;
  assert.equal(await isKnown(ENAME), false);
  answer = () => ({ ename: ENAME, uri: "http://vault.example", vault: "v" });
  nowMs = 60_999;
  assert.equal(await isKnown(ENAME), false);
  assert.equal(asked, 2);
  nowMs = 61_001;
  assert.equal(await isKnown(ENAME), true);
  assert.equal(asked, 3);
});
