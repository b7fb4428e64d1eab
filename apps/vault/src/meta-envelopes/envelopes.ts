import { makeEnvelopeId } from "@dataspace/protocol/envelope-id";
import { type Envelope, type JsonValue, valueTypeOf } from "@dataspace/protocol/meta-envelope";
import type { Payload } from "./payload.ts";

/**
 * Shows a payload as Envelopes, one per field. They are derived, never stored, so their ids stay the same for as long as
 * the field exists and come back with it.
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
