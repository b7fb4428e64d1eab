import { splitEnvelopeId } from "@dataspace/protocol/envelope-id";
import type { JsonValue } from "@dataspace/protocol/meta-envelope";
import type { Caller } from "../../caller/caller.ts";
import { refusal } from "../../errors.ts";
import { assertWritableOntology } from "../../meta-envelopes/meta-envelope-input.ts";
import { patchPayload } from "../../meta-envelopes/patch.ts";
import { assertPayload, payloadToText } from "../../meta-envelopes/payload.ts";
import type { StoredMetaEnvelope } from "../../meta-envelopes/stored-meta-envelope.ts";
import type { WriteDeps } from "../write-deps.ts";
import { changeMetaEnvelope } from "./change-meta-envelope.ts";
import type { Draft } from "./draft.ts";

/**
 * Replaces the value of one Envelope, which is an update of the MetaEnvelope that contains it.
 *
 * Refuses: NOT_FOUND (also for a missing Envelope), as `changeMetaEnvelope`, and for a value that makes the payload
 * invalid.
 * Source: S1 "updateEnvelopeValue"; decisions V9, V10.
 */
export async function updateEnvelopeValue(
  deps: WriteDeps,
  caller: Caller,
  { envelopeId, newValue }: { readonly envelopeId: string; readonly newValue: JsonValue },
): Promise<void> {
  const { recordId, fieldKey } = readEnvelopeId(envelopeId);
  const patch = { [fieldKey]: newValue };
  assertPayload(patch, "newValue");
  const payloadText = JSON.stringify({ envelopeId, newValue });
  function draft(before: StoredMetaEnvelope): Draft {
    assertWritableOntology(before.ontology);
    if (!Object.hasOwn(JSON.parse(before.payloadText), fieldKey)) throw noSuchEnvelope(envelopeId);
    const payload = patchPayload(before.payloadText, patch);
    return {
      after: { ...before, payloadText: payloadToText(payload) },
      payload,
      operation: "update",
      logOperation: "update_envelope_value",
      written: [fieldKey],
      hashed: { id: envelopeId, ontology: before.ontology, payloadText },
    };
  }
  await changeMetaEnvelope(deps, caller, { id: recordId, permission: "UPDATE", draft });
}

function readEnvelopeId(envelopeId: string): { readonly recordId: string; readonly fieldKey: string } {
  try {
    return splitEnvelopeId(envelopeId);
  } catch {
    throw noSuchEnvelope(envelopeId);
  }
}

function noSuchEnvelope(envelopeId: string) {
  return refusal("NOT_FOUND", `There is no Envelope ${JSON.stringify(envelopeId.slice(0, 200))} here.`, "envelopeId");
}
