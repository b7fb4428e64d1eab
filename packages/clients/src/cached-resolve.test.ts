import assert from "node:assert/strict";
import { test } from "node:test";
import { parseEName } from "@dataspace/protocol/ename";
import { createCachedResolve } from "./cached-resolve.ts";
import { UpstreamError } from "./upstream-error.ts";

const ENAME = parseEName("@00000000-0000-4000-8000-000000000001");
const ADDRESS = { ename: ENAME, uri: "http://vault.example", vault: "v" };

test("an unknown eName is requested once in 10 s, a known one and a failure each time, and concurrent calls share a request [V25]", async () => {
  let [nowMs, asked] = [1_000, 0];
  let answer: () => typeof ADDRESS | undefined = () => undefined;
  const registry = {
    resolve: async () => {
      asked += 1;
      return answer();
    },
  };
  const resolve = createCachedResolve({ clock: { nowMs: () => nowMs }, registry });
  assert.deepEqual(await Promise.all([resolve(ENAME), resolve(ENAME)]), [undefined, undefined]);
  nowMs += 9_999;
  await resolve(ENAME);
  assert.equal(asked, 1);
  nowMs += 2;
  answer = () => {
    throw new UpstreamError("unreachable", "down");
  };
  await assert.rejects(resolve(ENAME), UpstreamError);
  answer = () => ADDRESS;
  assert.deepEqual(await resolve(ENAME), ADDRESS);
  assert.deepEqual(await resolve(ENAME), ADDRESS);
  assert.equal(asked, 4);
});
