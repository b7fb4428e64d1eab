import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import vectors from "../../../vectors/envelope-hash.json" with { type: "json" };
import { envelopeHashText } from "./envelope-hash-text.ts";

test("envelopeHashText() is id, ontology, payload in this order, and hashes to envelopeHash [S1 Log entry, decision V10]", () => {
  for (const { write, text, sha256Hex } of vectors.own) {
    const shuffled = { payload: write.payload, ontology: write.ontology, id: write.id } as Parameters<
      typeof envelopeHashText
    >[0];
    assert.equal(envelopeHashText(shuffled), text);
    assert.equal(createHash("sha256").update(text).digest("hex"), sha256Hex);
  }
});
