import { makeEnvelopeId } from "@dataspace/protocol/envelope-id";
import { type ValueType, valueTypeOf } from "@dataspace/protocol/meta-envelope";
import type { Payload } from "./payload.ts";

/** One field of a payload, as it is shown. `ontology` repeats `fieldKey` for clients that ask by the old name. */
export interface Envelope {
  readonly id: string;
  readonly ontology: string;
  readonly fieldKey: string;
  readonly value: unknown;
  readonly valueType: ValueType;
}

/**
 * Shows a payload as Envelopes, one per field. They are derived, never stored, so their ids stay the same for as long as
 * the field exists and come back with it.
 *
 * Refuses: never. Source: S1 "Envelope"; decision V6.
 */
export function payloadToEnvelopes(metaEnvelopeId: string, payload: Payload): readonly Envelope[] {
  return Object.entries(payload).map(([fieldKey, value]) => ({
    id: makeEnvelopeId(metaEnvelopeId, fieldKey),
    ontology: fieldKey,
    fieldKey,
    value,
    valueType: valueTypeOf(value),
  }));
}
