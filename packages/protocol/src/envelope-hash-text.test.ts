import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import vectors from "../../../vectors/envelope-hash.json" with { type: "json" };
import { envelopeHashText, type HashedWrite } from "./envelope-hash-text.ts";

test("envelopeHashText() is id, ontology, payload in this order, and hashes to envelopeHash [S1 Log entry, decision V10]", () => {
  for (const { write, text, sha256Hex } of vectors.own) {
    const { id, ontology, payload } = write as { id: string; ontology?: string; payload?: unknown };
    const written = { payloadText: JSON.stringify(payload), ontology, id } as HashedWrite;
    assert.equal(envelopeHashText(written), text);
    assert.equal(createHash("sha256").update(text).digest("hex"), sha256Hex);
  }
});
