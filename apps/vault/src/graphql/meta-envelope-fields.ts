import type { Envelope } from "@dataspace/protocol/meta-envelope";
import { payloadToEnvelopes } from "../meta-envelopes/envelopes.ts";
import type { Payload } from "../meta-envelopes/payload.ts";
import type { VisibleMetaEnvelope } from "../meta-envelopes/stored-meta-envelope.ts";

const parsedPayloads = new WeakMap<VisibleMetaEnvelope, Payload>();

/** The payload of a MetaEnvelope, parsed once, however many of its fields are selected. */
export function toParsed(metaEnvelope: VisibleMetaEnvelope): Payload {
  const known = parsedPayloads.get(metaEnvelope);
  if (known !== undefined) return known;
  const parsed = JSON.parse(metaEnvelope.payloadText) as Payload;
  parsedPayloads.set(metaEnvelope, parsed);
  return parsed;
}

/** The Envelopes of a MetaEnvelope. */
export function toEnvelopes(metaEnvelope: VisibleMetaEnvelope): readonly Envelope[] {
  return payloadToEnvelopes(metaEnvelope.id, toParsed(metaEnvelope));
}
