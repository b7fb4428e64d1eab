import { isOwner } from "../../access/owner.ts";
import type { Caller } from "../../caller/caller.ts";
import { changeOwnerAccess, keepAccess } from "../../meta-envelopes/access-change.ts";
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
import type { Draft } from "./draft.ts";

/**
 * Patches a MetaEnvelope: given fields are replaced completely, all others stay, `ontology` is replaced, omitted `acl`
 * and `_acl` stay.
 *
 * Only the owner changes access, and may always replace any policy: with `_acl`, the stored ontology and no field at
 * all, no permission is needed.
 * Out: the whole merged MetaEnvelope, or null where its policy does not let the caller read it. Refuses: as
 * `changeMetaEnvelope` and `readMetaEnvelopeInput`; ACL_CHANGE_FORBIDDEN; PAYLOAD_TOO_LARGE for the merged payload.
 * Source: S1 "updateMetaEnvelope"; decisions P9, V4, V22.
 */
export async function updateMetaEnvelope(
  deps: WriteDeps,
  caller: Caller,
  { id, input }: { readonly id: string; readonly input: MetaEnvelopeInput },
): Promise<VisibleMetaEnvelope | null> {
  const read = readMetaEnvelopeInput(input);
  const { ontology, payload: patch } = read;
  const hashed = { id, ontology, payloadText: payloadToText(patch) };
  const owns = isOwner(caller.owner, caller.principal);
  const replacesPolicy = owns && read.aclBlock !== undefined && Object.keys(patch).length === 0;
  function draft(before: StoredMetaEnvelope): Draft {
    assertWritableOntology(before.ontology);
    assertWritableOntology(ontology);
    const access = owns ? changeOwnerAccess(before, read, caller.owner) : keepAccess(before, read);
    const payload = patchPayload(before.payloadText, patch);
    const after = { ...before, ...access, ontology, payloadText: payloadToText(payload) };
    return { after, payload, operation: "update", hashed, written: Object.keys(patch), replacesPolicy: admits(before) };
  }
  const admits = (before: StoredMetaEnvelope) => replacesPolicy && before.ontology === ontology;
  const { after, readable } = await changeMetaEnvelope(deps, caller, { id, permission: "UPDATE", admits, draft });
  return readable ? after : null;
}
