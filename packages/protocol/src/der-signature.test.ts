import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { derSignatureToRaw, isInRange, rawSignatureToDer } from "./der-signature.ts";
import { decodeHex, encodeHex } from "./hex.ts";

const ONE = `${"00".repeat(31)}01`;

test("derSignatureToRaw() reads minimal positive integers [RFC 3279 section 2.2.3]", () => {
  const high = `ff${"11".repeat(31)}`;
  const cases = [
    ["3006020101020101", `${ONE}${ONE}`],
    [`30260221 00${high} 020101`, `${high}${ONE}`],
    ["30080202008002020100", `${"00".repeat(31)}80${"00".repeat(30)}0100`],
  ] as const;
  for (const [der, raw] of cases) {
    assert.equal(encodeHex(derSignatureToRaw(bytes(der)) ?? new Uint8Array()), raw, der);
  }
});

test("derSignatureToRaw() refuses every encoding but the strict one [RFC 3279 section 2.2.3, decision I9]", () => {
  const refused = {
    trailing: "300602010102010100",
    longFormLength: "30810602010102 0101",
    wrongTag: "3106020101020101",
    integerTag: "3006030101020101",
    negative: "3006020181020101",
    notMinimal: "300702020001020101",
    zeroWithoutDigits: "30050200020101",
    zero: "3006020100020101",
    tooLong: `30260221 01${"00".repeat(32)} 020101`,
    sequenceTooShort: "3005020101020101",
    sequenceTooLong: "3007020101020101",
    tooLongWithSign: `30270222 00ff${"00".repeat(32)} 020101`,
    oneInteger: "3003020101",
    threeIntegers: "3009020101020101020101",
    truncated: "30060201010201",
    lengthPastEnd: "3006020101020201",
    empty: "",
  };
  for (const [name, der] of Object.entries(refused)) {
    assert.equal(derSignatureToRaw(bytes(der)), undefined, name);
  }
});

test("derSignatureToRaw() reads at most one text for r and s: what it reads is what a strict writer writes", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: 2n ** 256n - 1n }), fc.bigInt({ min: 1n, max: 2n ** 256n - 1n }), (r, s) => {
      const der = writeSequence(writeInteger(r) + writeInteger(s));
      assert.equal(encodeHex(derSignatureToRaw(bytes(der)) ?? new Uint8Array()), pad(r) + pad(s));
      assert.equal(encodeHex(rawSignatureToDer(bytes(pad(r) + pad(s)))), der);
      const padded = writeSequence(
        `02${byte(writeInteger(r).length / 2 - 1)}00${writeInteger(r).slice(4)}${writeInteger(s)}`,
      );
      assert.equal(derSignatureToRaw(bytes(padded)), undefined);
    }),
    { numRuns: 1000 },
  );
});

test("isInRange() refuses 0 and the group's order and above, for r and for s [FIPS 186-5 section 6.4.2]", () => {
  const order = "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551";
  const below = `${order.slice(0, -1)}0`;
  const zero = "00".repeat(32);
  const inRange = [below + ONE, ONE + below, order + ONE, ONE + order, zero + ONE, ONE + zero].map((raw) =>
    isInRange(bytes(raw)),
  );
  assert.deepEqual(inRange, [true, true, false, false, false, false]);
});

function bytes(hex: string): Uint8Array {
  return decodeHex(hex.replaceAll(" ", "")) as Uint8Array;
}

function byte(value: number): string {
  return value.toString(16).padStart(2, "0");
}

function pad(value: bigint): string {
  return value.toString(16).padStart(64, "0");
}

function writeInteger(value: bigint): string {
  const hex = value.toString(16);
  const even = hex.length % 2 === 0 ? hex : `0${hex}`;
  const positive = even >= "8" ? `00${even}` : even;
  return `02${byte(positive.length / 2)}${positive}`;
}

function writeSequence(content: string): string {
  return `30${byte(content.length / 2)}${content}`;
}
