import assert from "node:assert/strict";
import { test } from "node:test";
import { parseAccessPolicy } from "@dataspace/protocol/access-policy";
import { type EName, parseEName } from "@dataspace/protocol/ename";
import { createFindFacts, type FactSources } from "./find-facts.ts";

const ASKER = { authenticated: true, ename: parseEName(crypto.randomUUID()), platform: null, onBehalfOf: null };

function names(count: number): readonly EName[] {
  return Array.from({ length: count }, () => parseEName(crypto.randomUUID()));
}

function sources(isKnown: FactSources["isKnown"]): FactSources {
  return {
    isKnown,
    findGroups: async () => [],
    findReadings: async () => [],
    clock: { nowMs: () => 0 },
    hasSigned: async () => false,
  };
}

function denying(enames: readonly EName[], granted: readonly EName[] = []) {
  const grants = granted.map((ename) => ({ ename, perms: 1 }));
  return parseAccessPolicy({ grants, denials: { enames, conditions: [] }, require: [[]], default_perms: 1 });
}

test("an owner with more names than are looked up takes no look-up from another owner [decisions V23, V25]", async () => {
  const [many, one] = [names(100), names(1)];
  const find = createFindFacts(sources(async () => false));
  const { deniedThrough, unanswered } = await find(ASKER, [[denying(many)], [denying(one)]]);
  assert.deepEqual([deniedThrough.size, deniedThrough.has(one[0] as EName)], [100 - 64, false]);
  assert.equal(unanswered.denials.size, 0, "what is not looked up counts against the asker");
});

test("the registry is asked about names of denials alone: it knows no members, so it opens no grant [decision V23]", async () => {
  const asked: EName[] = [];
  const [denied, granted] = [names(2), names(70)];
  const find = createFindFacts(
    sources(async (ename) => {
      asked.push(ename);
      return true;
    }),
  );
  const { memberOf, deniedThrough } = await find(ASKER, [[denying(denied, granted)]]);
  assert.deepEqual(asked, denied);
  assert.deepEqual([memberOf, deniedThrough], [new Set(), new Set(denied)]);
});

test("a name about which the registry does not answer is denied and unanswered [decision V23]", async () => {
  const denied = names(1);
  const find = createFindFacts(sources(() => Promise.reject(new Error("No answer."))));
  const { deniedThrough, unanswered } = await find(ASKER, [[denying(denied)]]);
  assert.deepEqual([deniedThrough, unanswered.denials], [new Set(denied), new Set(denied)]);
});
