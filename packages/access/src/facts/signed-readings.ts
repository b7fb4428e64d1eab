import { readSignedReading, type SignedReading, signedReadingText } from "@dataspace/protocol/signed-reading";
import type { AccessCondition } from "@dataspace/protocol/access-policy";
import type { EName } from "@dataspace/protocol/ename";
import type { JsonValue } from "@dataspace/protocol/meta-envelope";
import { conditionHolds } from "../condition-holds.ts";

/** The newest record of an ontology that has a signed reading's members: its payload as JSON text. */
export interface ReadingRow {
  readonly ontology: EName;
  readonly payloadText: string;
}

/** The dependencies of the check of conditions. */
export interface SignedReadingsDeps {
  /** Finds the newest readings in a subject's vault, by ontology. */
  readonly findReadings: (subject: EName, ontologies: readonly EName[]) => Promise<readonly ReadingRow[]>;
  readonly clock: { readonly nowMs: () => number };
  /** Checks whether a key that is certified for the signer signed a text. Rejects when the keys are not available. */
  readonly hasSigned: (signed: {
    readonly signer: EName;
    readonly text: string;
    readonly signature: string;
  }) => Promise<boolean>;
}

/**
 * Checks conditions about a subject, each separately.
 *
 * Out: a promise for each condition: whether it is met. A promise rejects when the storage or a signer's keys are not
 * available; the condition then counts as not met.
 * Source: decision V24.
 */
export function checkConditions(
  deps: SignedReadingsDeps,
  subject: EName,
  conditions: readonly AccessCondition[],
): readonly Promise<boolean>[] {
  const readings = conditions.length === 0 ? undefined : loadReadings(deps, subject, conditions);
  return conditions.map(async (condition) => {
    const reading = (await readings)?.get(condition.ontology);
    if (reading === undefined || !conditionHolds(condition, reading, { subject, nowMs: deps.clock.nowMs() }))
      return false;
    const { signer, statement, signature } = reading;
    return deps.hasSigned({ signer, text: await signedReadingText(statement), signature });
  });
}

/** Which reading is asked for: about whom, of which ontology, and whose. */
export interface WantedReading {
  readonly subject: EName;
  readonly ontology: EName;
  readonly signer: EName;
}

/**
 * Finds the newest reading of an ontology in a subject's vault, if the signer wanted has signed it.
 *
 * Refuses: rejects where the storage or the signer's keys are not available. Source: decision V24.
 */
export async function findSignedReading(
  deps: SignedReadingsDeps,
  { subject, ontology, signer }: WantedReading,
): Promise<SignedReading | undefined> {
  const reading = (await loadReadings(deps, subject, [{ ontology }])).get(ontology);
  if (reading === undefined || reading.signer !== signer) return undefined;
  const text = await signedReadingText(reading.statement);
  return (await deps.hasSigned({ signer, text, signature: reading.signature })) ? reading : undefined;
}

async function loadReadings(
  { findReadings }: SignedReadingsDeps,
  subject: EName,
  conditions: readonly Pick<AccessCondition, "ontology">[],
): Promise<ReadonlyMap<EName, SignedReading>> {
  const ontologies = [...new Set(conditions.map(({ ontology }) => ontology))];
  const rows = await findReadings(subject, ontologies);
  return new Map(
    rows.flatMap(({ ontology, payloadText }) => {
      const reading = readSignedReading(JSON.parse(payloadText) as JsonValue);
      return reading === undefined ? [] : [[ontology, reading] as const];
    }),
  );
}
