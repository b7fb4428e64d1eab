import assert from "node:assert/strict";
import { test } from "node:test";
import { visibleText } from "./visible-text.ts";

test("characters that hide or reorder a text that is signed are shown by their code points [decision I10]", () => {
  assert.equal(
    visibleText("pay \u202E001\u202C to Ada\u200B\r\n\u0000"),
    "pay [U+202E]001[U+202C] to Ada[U+200B][U+000D]\n[U+0000]",
  );
  assert.equal(visibleText("\u2066a\u2069 \u061C\u2028\u{E0041}"), "[U+2066]a[U+2069] [U+061C][U+2028][U+E0041]");
  const plain = "Grüße an שלום и 日本\n\tzwei Zeilen";
  assert.equal(visibleText(plain), plain);
});
