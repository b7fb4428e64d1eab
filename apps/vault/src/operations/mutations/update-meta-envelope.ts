import { isOwner } from "../../access/guard.ts";
import type { Caller } from "../../caller/caller.ts";
import {
  assertWritableOntology,
  type MetaEnvelopeInput,
  readMetaEnvelopeInput,
} from "../../meta-envelopes/meta-envelope-input.ts";
import { patchPayload } from "../../meta-envelopes/patch.ts";
import { payloadToText } from "../../meta-envelopes/payload.ts";
import type { StoredMetaEnvelope, VisibleMetaEnvelope } from "../../meta-envelopes/stored-meta-envelope.ts";
import type { WriteDeps } from "../write-deps.ts";
import { changeMetaEnvelope } from "./change-meta-envelope.ts";
import type { Draft } from "./commit-draft.ts";

/**
 * Patches a MetaEnvelope: given fields are replaced whole, all others stay, `ontology` is replaced, an omitted `acl` stays.
 *
 * Only the owner changes access: an `acl` from anybody else is passed over, since platforms send one with every update.
 * Out: the whole merged MetaEnvelope. Refuses: as `changeMetaEnvelope` and `readMetaEnvelopeInput`; PAYLOAD_TOO_LARGE for
 * what the patch makes of it.
 * Source: S1 "updateMetaEnvelope"; decisions P9, V4, V22.
 */
export async function updateMetaEnvelope(
  deps: WriteDeps,
  caller: Caller,
  { id, input }: { readonly id: string; readonly input: MetaEnvelopeInput },
): Promise<VisibleMetaEnvelope> {
  const { ontology, payload: patch, acl } = readMetaEnvelopeInput(input);
  const hashed = { id, ontology, payloadText: payloadToText(patch) };
  const newAcl = isOwner(caller.owner, caller.principal) ? acl : undefined;
  function draft(before: StoredMetaEnvelope): Draft {
    assertWritableOntology(before.ontology);
    const payload = patchPayload(before.payloadText, patch);
    const after = {
      ...before,
      ontology,
      payloadText: payloadToText(payload),
      acl: newAcl ?? before.acl,
      version: before.version + 1,
    };
    return { after, payload, operation: "update", hashed };
  }
  return changeMetaEnvelope(deps, caller, { id, permission: "UPDATE", draft });
}
