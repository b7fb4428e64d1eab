import assert from "node:assert/strict";
import { test } from "node:test";
import { DEFAULT_OWNER_TERMS } from "@dataspace/protocol/owner-policy";
import { permits, termsWords, withDomain, withNothing, withoutDomain } from "../browser/platforms/owner-terms.ts";

const SOCIAL = { level: "L3", domain: "social" };

test("terms are narrowed, blocked and restored, and say so in sentences (decision A2)", () => {
  const narrowed = withoutDomain(DEFAULT_OWNER_TERMS, "social");
  assert.deepEqual(termsWords(narrowed), [
    "A platform needs a certificate of level L2 or higher.",
    "It may use the domains that its certificate grants.",
    "No platform may use: social.",
  ]);
  assert.equal(permits(narrowed, SOCIAL), false);
  assert.deepEqual(withDomain(narrowed, "social"), DEFAULT_OWNER_TERMS);
  const blocked = withNothing(narrowed);
  assert.deepEqual(termsWords(blocked), ["All certified platforms are blocked from every domain."]);
  // Allowing one domain again opens no other.
  const one = withDomain(blocked, "social");
  assert.deepEqual([permits(one, SOCIAL), permits(one, { level: "L5", domain: "work" })], [true, false]);
  assert.equal(permits(DEFAULT_OWNER_TERMS, { level: "L1", domain: "social" }), false);
});
