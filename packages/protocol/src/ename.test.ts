import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import vectors from "../../../vectors/ename.json" with { type: "json" };
import { isEName, parseEName } from "./ename.ts";

test("parseEName() normalises every spelling of an eName [decision I1]", () => {
  for (const [written, canonical] of vectors.normalise) {
    assert.equal(parseEName(written as string), canonical);
  }
});

test("parseEName() refuses what is not an eName [decision I1] [V-CNV-001]", () => {
  for (const text of vectors.refused) {
    assert.throws(() => parseEName(text), { code: "INVALID_ENAME" }, JSON.stringify(text));
  }
});

test("parseEName() refuses text longer than 128 characters though its middle is an eName [decision I1]", () => {
  const ename = "@11111111-2222-4333-8444-555555555555";
  assert.equal(parseEName(ename.padEnd(128)), ename);
  assert.throws(() => parseEName(ename.padEnd(129)), { code: "INVALID_ENAME" });
});

test("parseEName() maps every variant in case, space, @ and full width to the one eName or refuses it [decision I1] [T-15]", () => {
  const mutations: readonly ((text: string) => string)[] = [
    (text) => text.toUpperCase(),
    (text) => text.replace("@", ""),
    (text) => ` ${text}\n`,
    (text) => `@${text}`,
    (text) => text.replace("@", "\uff20"),
    (text) => text.replace("-", "\u2010"),
    (text) => text.replace("-", ""),
    (text) => text.replace("a", "\uff41"),
    (text) => text.replace("-", " -"),
    (text) => `${text}\u0000`,
  ];
  const cases = fc.tuple(fc.uuid(), fc.subarray([...mutations]));
  fc.assert(
    fc.property(cases, ([uuid, chosen]) => {
      const written = chosen.reduce((text, mutate) => mutate(text), `@${uuid}`);
      let parsed: string | undefined;
      try {
        parsed = parseEName(written);
      } catch (error) {
        assert.equal((error as { code: string }).code, "INVALID_ENAME");
      }
      assert.ok(parsed === undefined || parsed === `@${uuid}`, written);
    }),
    { numRuns: 2000 },
  );
});

test("parseEName() gives only what isEName() accepts, and changes nothing more [decision I1]", () => {
  fc.assert(
    fc.property(fc.uuid(), fc.boolean(), (uuid, upper) => {
      const ename = parseEName(upper ? uuid.toUpperCase() : uuid);
      assert.ok(isEName(ename));
      assert.equal(parseEName(ename), ename);
    }),
  );
});

test("isEName() refuses spellings that are not canonical, and values that are not text [decision I1]", () => {
  const uuid = "aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee";
  for (const value of [uuid, `@${uuid.toUpperCase()}`, ` @${uuid}`, `@${uuid}\n`, undefined, null, 7, [`@${uuid}`]]) {
    assert.equal(isEName(value), false, String(value));
  }
});
