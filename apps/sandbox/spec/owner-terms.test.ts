import assert from "node:assert/strict";
import { test } from "node:test";
import { parseEName } from "@dataspace/protocol/ename";
import { DEFAULT_OWNER_TERMS } from "@dataspace/protocol/owner-policy";
import { answerOfTerms, termsWords, withDomain, withNothing, withoutDomain } from "../browser/platforms/owner-terms.ts";

const SOCIAL = { level: "L3", domain: "social" };

test("terms are narrowed, blocked and restored, and say so in sentences (decision A2)", () => {
  const narrowed = withoutDomain(DEFAULT_OWNER_TERMS, "social");
  assert.deepEqual(termsWords(narrowed), [
    "A platform needs a certificate of level L2 or higher.",
    "It may use the domains that its certificate grants.",
    "No platform may use: social.",
  ]);
  assert.equal(answerOfTerms(narrowed, SOCIAL), "refused");
  assert.deepEqual(withDomain(narrowed, "social"), DEFAULT_OWNER_TERMS);
  const blocked = withNothing(narrowed);
  assert.deepEqual(termsWords(blocked), ["All certified platforms are blocked from every domain."]);
  // Allowing one domain again opens no other.
  const one = withDomain(blocked, "social");
  assert.equal(answerOfTerms(one, SOCIAL), "admitted");
  assert.equal(answerOfTerms(one, { level: "L5", domain: "work" }), "refused");
  assert.equal(answerOfTerms(DEFAULT_OWNER_TERMS, { level: "L1", domain: "social" }), "refused");
});

test("terms ask for a reputation only where they name both an engine and a minimum (decision A1)", () => {
  const reputationEngine = parseEName("@44444444-4444-4444-8444-444444444444");
  const cases = [
    [{ reputationEngine, minimumReputation: 3 }, "depends"],
    [{ reputationEngine, minimumReputation: null }, "admitted"],
    [{ reputationEngine: null, minimumReputation: 3 }, "admitted"],
  ] as const;
  for (const [given, answer] of cases) {
    const terms = { ...DEFAULT_OWNER_TERMS, ...given };
    assert.equal(answerOfTerms(terms, SOCIAL), answer);
    assert.equal(/reputation/.test(termsWords(terms).join(" ")), answer !== "admitted");
  }
});
