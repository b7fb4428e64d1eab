import { conditionHolds } from "@dataspace/access/condition-holds";
import { conditionKey } from "@dataspace/access/policy-terms";
import { readSignedReading, type SignedReading, signedReadingText } from "@dataspace/protocol/signed-reading";
import type { HasSigned } from "@dataspace/clients/has-signed";
import type { AccessCondition } from "@dataspace/protocol/access-policy";
import type { EName } from "@dataspace/protocol/ename";
import type { JsonValue } from "@dataspace/protocol/meta-envelope";
import type { Clock } from "@dataspace/service-kit/clock";
import type { Queryable } from "@dataspace/service-kit/postgres/database";
import { findReadings } from "../store/reading-rows.ts";

/** The dependencies of the check of conditions. */
export interface SignedReadingsDeps {
  readonly database: Queryable;
  readonly clock: Clock;
  readonly hasSigned: HasSigned;
}

/**
 * Checks conditions about a subject, each separately.
 *
 * Out: a promise for each condition: its key where it is met, undefined where it is not. A promise rejects when the
 * storage or a signer's keys are not available; the condition then counts as not met.
 * Source: decision V24.
 */
export function checkConditions(
  { database, clock, hasSigned }: SignedReadingsDeps,
  subject: EName,
  conditions: readonly AccessCondition[],
): readonly Promise<string | undefined>[] {
  const readings = conditions.length === 0 ? undefined : loadReadings(database, subject, conditions);
  return conditions.map(async (condition) => {
    const reading = (await readings)?.get(condition.ontology);
    if (reading === undefined || !conditionHolds(condition, reading, { subject, nowMs: clock.nowMs() }))
      return undefined;
    const { signer, statement, signature } = reading;
    return (await hasSigned({ signer, text: await signedReadingText(statement), signature }))
      ? conditionKey(condition)
      : undefined;
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
  { database, hasSigned }: SignedReadingsDeps,
  { subject, ontology, signer }: WantedReading,
): Promise<SignedReading | undefined> {
  const reading = (await loadReadings(database, subject, [{ ontology }])).get(ontology);
  if (reading === undefined || reading.signer !== signer) return undefined;
  const text = await signedReadingText(reading.statement);
  return (await hasSigned({ signer, text, signature: reading.signature })) ? reading : undefined;
}

async function loadReadings(
  database: Queryable,
  subject: EName,
  conditions: readonly Pick<AccessCondition, "ontology">[],
): Promise<ReadonlyMap<EName, SignedReading>> {
  const ontologies = [...new Set(conditions.map(({ ontology }) => ontology))];
  const rows = await findReadings(database, subject, ontologies);
  return new Map(
    rows.flatMap(({ ontology, payloadText }) => {
      const reading = readSignedReading(JSON.parse(payloadText) as JsonValue);
      return reading === undefined ? [] : [[ontology, reading] as const];
    }),
  );
}
