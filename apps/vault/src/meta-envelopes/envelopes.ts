import { makeEnvelopeId } from "@dataspace/protocol/envelope-id";
import { type Envelope, type JsonValue, valueTypeOf } from "@dataspace/protocol/meta-envelope";
import type { Payload } from "./payload.ts";

/**
 * Shows a payload as Envelopes, one per field. They are computed, not stored, so an id stays the same as long as its
 * field exists, and returns with the field.
 *
 * Refuses: never. Source: S1 "Envelope"; decision V6.
 */
export function payloadToEnvelopes(metaEnvelopeId: string, payload: Payload): readonly Envelope[] {
  return Object.keys(payload).map((fieldKey) => {
    const value = payload[fieldKey] as JsonValue;
    return {
      id: makeEnvelopeId(metaEnvelopeId, fieldKey),
      ontology: fieldKey,
      fieldKey,
      value,
      valueType: valueTypeOf(value),
    };
  });
}
