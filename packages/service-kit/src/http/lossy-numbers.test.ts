import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { isLossyNumber, LOSSY_NUMBER_MEMBER, markLossyNumbers } from "./lossy-numbers.ts";

const digits = (maxLength: number): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(..."0123456789"), minLength: 1, maxLength });
const whole = fc.oneof(
  fc.constant("0"),
  digits(24).map((text) => text.replace(/^0+(?=\d)/, "")),
);
const literal = fc
  .tuple(
    fc.constantFrom("", "-"),
    whole,
    fc.option(digits(20), { nil: undefined }),
    fc.option(fc.tuple(fc.constantFrom("e", "E", "e-", "E+"), fc.nat({ max: 420 })), { nil: undefined }),
  )
  .map(([sign, integer, fraction, exponent]) =>
    [sign, integer, fraction === undefined ? "" : `.${fraction}`, exponent === undefined ? "" : exponent.join("")].join(
      "",
    ),
  );

/** Whether a double changes a number by more than rounding its last digits, by exact arithmetic. */
function changes(text: string): boolean {
  const [, sign = "", integer = "", fraction = ""] = /^(-?)(\d+)(?:\.(\d+))?/.exec(text) ?? [];
  const significant = BigInt(integer + fraction);
  const double = Number(text);
  if (!Number.isFinite(double)) return true;
  if (significant !== 0n && double === 0) return true;
  const isPlainWhole = !/[.eE]/.test(text);
  return isPlainWhole && BigInt(`${sign}${integer}`) !== BigInt(double);
}

test("isLossyNumber() finds exactly the numbers that overflow, vanish or are whole and changed [V-DEC-464] [V-DEC-465] [V-DEC-466] [V-DEC-467] [T-10]", () => {
  let lossy = 0;
  fc.assert(
    fc.property(literal, (text) => {
      assert.equal(isLossyNumber(text), changes(text), text);
      lossy += changes(text) ? 1 : 0;
    }),
    { numRuns: 20_000 },
  );
  assert.ok(lossy > 1_000 && lossy < 19_000, `${lossy} of 20000`);
});

test("markLossyNumbers() marks those and nothing else, wherever they stand, and leaves texts that look like them [T-10]", () => {
  const text = literal.map((inside) => JSON.stringify(`x: ${inside}, "${inside}" [${inside}`));
  fc.assert(
    fc.property(fc.array(fc.oneof(literal, text), { maxLength: 6 }), fc.constantFrom("", " ", "\n"), (items, space) => {
      const json = `{"a":${space}[${items.join(`,${space}`)}]${space},"b":{"c":${items[0] ?? "1"}}}`;
      const { a, b } = JSON.parse(markLossyNumbers(json));
      const expected = items.map((item) =>
        !item.startsWith('"') && changes(item) ? { [LOSSY_NUMBER_MEMBER]: item } : JSON.parse(item),
      );
      assert.deepEqual(a, expected);
      assert.deepEqual(b.c, expected[0] ?? 1);
    }),
    { numRuns: 5_000 },
  );
});

test("markLossyNumbers() looks at each character once: 8 MiB of escaped quotes in a string without an end [decision V25]", () => {
  // A search that restarts at each quote took 15.6 s for 128 KiB of it.
  const json = `[1e400,"${'\\"'.repeat(4_000_000)}`;
  assert.equal(markLossyNumbers(json), json.replace("1e400", '{"\\u0000number":"1e400"}'));
});

test("markLossyNumbers() never makes valid JSON of invalid JSON", () => {
  for (const json of ["[1e400.5]", "[01e400]", "[1e400e1]", "[+1e400]", "[.1e400]", "[1e400-1]"]) {
    assert.throws(() => JSON.parse(markLossyNumbers(json)), SyntaxError, json);
  }
});
