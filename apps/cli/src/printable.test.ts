import assert from "node:assert/strict";
import { test } from "node:test";
import { printable, printableJson } from "./printable.ts";

/** Clears a terminal: once with ESC, once with the one-byte control sequence introducer. */
const HOSTILE = "a\u001b[2Jb\u009b2Jc\u007f\n";

test("no text that is printed moves the cursor, and line ends stay", () => {
  assert.equal(printable(HOSTILE), "a\ufffd[2Jb\ufffd2Jc\ufffd\n");
});

test("printed JSON has no control character and keeps the value", () => {
  const line = printableJson({ text: HOSTILE });
  assert.doesNotMatch(line, /\p{Cc}/u);
  assert.deepEqual(JSON.parse(line), { text: HOSTILE });
});
