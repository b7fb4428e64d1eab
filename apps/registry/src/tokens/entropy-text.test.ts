import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { test } from "node:test";
import { createEntropyText } from "./entropy-text.ts";

test("createEntropyText(): 20 characters of A-Z, a-z, 0-9, never the same twice [decision X2]", () => {
  const texts = Array.from({ length: 200 }, () => createEntropyText(randomBytes));
  for (const text of texts) assert.match(text, /^[A-Za-z0-9]{20}$/);
  assert.equal(new Set(texts).size, texts.length);
});

test("createEntropyText(): no character is likelier than another [decision X2]", () => {
  const counts = new Map<string, number>();
  let block = 0;
  const evenBytes = (sizeBytes: number): Uint8Array =>
    createHash("sha256").update(`block ${block++}`).digest().subarray(0, sizeBytes);
  for (let round = 0; round < 20_000; round++) {
    for (const character of createEntropyText(evenBytes)) counts.set(character, (counts.get(character) ?? 0) + 1);
  }
  const seen = [...counts.values()];
  // Modulo 62 of a byte would produce A to H a quarter more often than the others.
  assert.equal(counts.size, 62);
  assert.ok(Math.max(...seen) / Math.min(...seen) < 1.15, `counts from ${Math.min(...seen)} to ${Math.max(...seen)}`);
});

test("createEntropyText(): bytes from 248 up are drawn again, never folded onto the first characters [decision X2]", () => {
  let draws = 0;
  const unfairFirst = (sizeBytes: number): Uint8Array => new Uint8Array(sizeBytes).fill(draws++ === 0 ? 255 : 61);
  assert.equal(createEntropyText(unfairFirst), "9".repeat(20));
  assert.equal(draws, 2);
});
