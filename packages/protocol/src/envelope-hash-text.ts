import type { JsonValue } from "./meta-envelope.ts";

/**
 * Writes the text whose SHA-256 in hex is a log entry's `envelopeHash`: compact JSON of id, ontology and payload.
 *
 * In: what was written: a create its payload, an update the patch as sent, a rollback the restored payload, a value's
 * update `{envelopeId, newValue}` under the Envelope's id, a removal the id alone.
 * Refuses: never.
 * Source: S1 Log entry; decision V10.
 */
export function envelopeHashText(write: {
  readonly id: string;
  readonly ontology?: string;
  readonly payload?: JsonValue;
}): string {
  const { id, ontology, payload } = write;
  return JSON.stringify({ id, ontology, payload });
}
