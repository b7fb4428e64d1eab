import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { evaluate } from "./arithmetic.ts";
import { TextFault } from "./mapping-fault.ts";
import { parseArithmetic } from "./parse-arithmetic.ts";

const RUNS = 100_000;
const PIECES = [
  ..."abxyz0123456789.()[]+-*/%,;:?!'\"`=&|^~<>{}\\@# $\n",
  ...["__proto__", "constructor", "prototype", "this", "min(", "max(", "eval(", "**", ".length", "1e308", "=>", "new "],
  ...["globalThis", "process", "[0]", "import", "0x1f", "\u2028", "é"],
];

test("a calculation is read or refused with a column, and evaluates without an error or a change to anything", () => {
  const globals = Object.keys(globalThis).length;
  const texts = fc.array(fc.constantFrom(...PIECES), { maxLength: 24 }).map((pieces) => pieces.join(""));
  let read = 0;
  fc.assert(
    fc.property(texts, fc.double(), (text, value) => {
      try {
        const tree = parseArithmetic({ text, column: 1 });
        read += 1;
        assert.equal(typeof evaluate(tree, () => value), "number");
      } catch (error) {
        assert.ok(error instanceof TextFault && error.column >= 1, `${text}: ${error}`);
      }
    }),
    { numRuns: RUNS },
  );
  assert.ok(read > 100, `only ${read} were calculations`);
  assert.equal(Object.keys(globalThis).length, globals);
  assert.equal(({} as Record<string, unknown>)["polluted"], undefined);
});

test("the most expensive texts within the bound are refused or evaluated without exhausting the stack", () => {
  const chars = 1_024;
  for (const text of ["(", "-", "- ", "a[", "min(", "1**", "a?", "!", "{", "[", "a.", "-(", "+ +"]) {
    const whole = text.repeat(Math.floor(chars / text.length));
    assert.throws(() => parseArithmetic({ text: whole, column: 1 }), TextFault, text);
  }
});

const VALUES: readonly (readonly [string, number])[] = [
  ["1 + 2 * 3", 7],
  ["(1 + 2) * 3", 9],
  ["2 ** 3 ** 2", 512],
  ["7 % 4 - -2", 5],
  ["min(3, a.b, 2) + max(1, 4)", 6],
  ["round(2.5) + floor(1.9) + ceil(0.1) + abs(-3)", 8],
  ["a[1].c", 2],
];
for (const [text, value] of VALUES) {
  test(`${text} is ${value}`, () => {
    assert.equal(
      evaluate(parseArithmetic({ text, column: 1 }), () => 2),
      value,
    );
  });
}
