import { setTimeout as wait } from "node:timers/promises";
import type { EName } from "@dataspace/protocol/ename";
import type { OwnerPolicyTerms } from "@dataspace/protocol/owner-policy";
import { readingValue } from "../condition-holds.ts";
import { wantedReputation } from "../decide-by-gates.ts";
import { findSignedReading, type SignedReadingsDeps } from "./signed-readings.ts";

const REPUTATION_PATH = "$.score";
const REPUTATION_AGE_SECONDS = 86_400;
const TIME_MS = 2_000;

/** A platform's reputation, undefined where it has none; `isAnswered` is false where a source did not answer. */
export interface FoundReputation {
  readonly value: number | undefined;
  readonly isAnswered: boolean;
}

const NONE: FoundReputation = { value: undefined, isAnswered: true };
const UNANSWERED: FoundReputation = { value: undefined, isAnswered: false };

/**
 * Finds a platform's reputation under an owner's terms: the newest reading in the platform's own vault that the owner's
 * engine signed. Ontology and issuer are the engine's eName, the value is at `$.score`, no older than a day.
 *
 * Out: no value where the terms ask for none, or where it is missing or does not arrive within 2 s. Refuses: never.
 * Source: decisions A1, V24.
 */
export async function findReputation(
  deps: SignedReadingsDeps,
  terms: OwnerPolicyTerms,
  platform: EName,
): Promise<FoundReputation> {
  const wanted = wantedReputation(terms);
  if (wanted === undefined) return NONE;
  const { engine } = wanted;
  const outOfTime = new AbortController();
  const deadline = wait(TIME_MS, UNANSWERED, { signal: outOfTime.signal }).catch(() => UNANSWERED);
  try {
    return await Promise.race([readReputation(deps, platform, engine).catch(() => UNANSWERED), deadline]);
  } finally {
    outOfTime.abort();
  }
}

async function readReputation(deps: SignedReadingsDeps, platform: EName, engine: EName): Promise<FoundReputation> {
  const reading = await findSignedReading(deps, { subject: platform, ontology: engine, signer: engine });
  if (reading === undefined) return NONE;
  const asked = { ontology: engine, path: REPUTATION_PATH, issuer: engine, maxAgeSeconds: REPUTATION_AGE_SECONDS };
  return { value: readingValue(asked, reading, { subject: platform, nowMs: deps.clock.nowMs() }), isAnswered: true };
}
