import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { type EvidenceReading, readEvidence } from "./read-evidence.ts";
import type { Members } from "./read-members.ts";

const KEPT = 1_000;
const LONGEST_KEPT = 32_768;

/**
 * Makes a reader of evidence that remembers what it read. A deployment presents the same evidence at every handshake, and all
 * that is read of it depends on its text alone. No signature is remembered, and no answer of anybody.
 *
 * Source: decision A1.
 */
export function createEvidenceReader(): (evidence: Members) => EvidenceReading {
  const cached = new LRUCache<string, EvidenceReading>({ max: KEPT });
  return (evidence) => {
    const text = JSON.stringify(evidence);
    if (text.length > LONGEST_KEPT) return readEvidence(evidence);
    const name = createHash("sha256").update(text).digest("base64");
    const reading = cached.get(name) ?? readEvidence(evidence);
    cached.set(name, reading);
    return reading;
  };
}
