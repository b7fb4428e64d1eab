import { LRUCache } from "lru-cache";
import { type EvidenceReading, readEvidence } from "./read-evidence.ts";
import type { Members } from "./read-members.ts";

const KEPT = 1_000;
const LONGEST_KEPT = 32_768;
const KEPT_CHARACTERS = 8_388_608;

/**
 * Makes a reader of evidence that remembers what it read. A deployment presents the same evidence at every handshake, and all
 * that is read of it depends on its text alone. No signature is remembered, and no answer of anybody.
 *
 * Source: decision A1.
 */
export function createEvidenceReader(): (evidence: Members) => EvidenceReading {
  const cached = new LRUCache<string, EvidenceReading>({
    max: KEPT,
    maxSize: KEPT_CHARACTERS,
    sizeCalculation: (_reading, text) => text.length,
  });
  return (evidence) => {
    const text = JSON.stringify(evidence);
    if (text.length > LONGEST_KEPT) return readEvidence(evidence);
    const known = cached.get(text);
    if (known !== undefined) return known;
    const reading = readEvidence(evidence);
    cached.set(text, reading);
    return reading;
  };
}
