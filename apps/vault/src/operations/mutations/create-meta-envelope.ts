import { ACCESS_POLICY_ONTOLOGY } from "@dataspace/protocol/ontology-id";
import type { Caller } from "../../caller/caller.ts";
import { type MetaEnvelopeInput, readMetaEnvelopeInput } from "../../meta-envelopes/meta-envelope-input.ts";
import { payloadToText } from "../../meta-envelopes/payload.ts";
import type { VisibleMetaEnvelope } from "../../meta-envelopes/stored-meta-envelope.ts";
import { assertAuthenticated } from "../assert-authenticated.ts";
import type { OperationDeps } from "../operation-deps.ts";
import type { WriteDeps } from "../write-deps.ts";
import { assertMayCreate } from "./assert-may-create.ts";
import { assertMaySetPolicy } from "./assert-may-set-policy.ts";
import { commitDraft } from "./commit-draft.ts";
import { createOwnerPolicy } from "./create-owner-policy.ts";
import { draftInsertion, type Insertion } from "./draft.ts";

/**
 * Creates a MetaEnvelope in the addressed vault; one of the ontology of access policies puts the policy into force.
 *
 * Refuses: UNAUTHENTICATED, and as `assertMayCreate`, `insertMetaEnvelope` and `createOwnerPolicy`.
 * Source: S1 "createMetaEnvelope"; decisions V12, A2.
 */
export async function createMetaEnvelope(
  deps: Pick<OperationDeps, "writes" | "signatures">,
  caller: Caller,
  input: MetaEnvelopeInput,
): Promise<VisibleMetaEnvelope> {
  assertAuthenticated(caller);
  if (input.ontology === ACCESS_POLICY_ONTOLOGY) return createOwnerPolicy(deps, caller, input);
  await assertMayCreate(deps.writes, caller, input.ontology);
  return insertMetaEnvelope(deps.writes, caller, { input, quarantined: false });
}

/**
 * Inserts a MetaEnvelope under a new id, for an admitted caller; without an `acl` only the owner may read it.
 *
 * Refuses: as `assertMaySetPolicy`, TOKEN_SPENT, and what `readMetaEnvelopeInput` refuses.
 * Source: S1 "createMetaEnvelope"; decisions I3, V1, V22.
 */
export async function insertMetaEnvelope(
  deps: WriteDeps,
  caller: Caller,
  given: { readonly input: MetaEnvelopeInput; readonly quarantined: boolean },
): Promise<VisibleMetaEnvelope> {
  const input = readMetaEnvelopeInput(given.input);
  await assertMaySetPolicy(deps, caller, input);
  const payloadText = payloadToText(input.payload);
  return commitInsertion(deps, caller, { ...given, input, payloadText, id: deps.ids.newUuid() });
}

/** Commits a parsed MetaEnvelope under a new id. Refuses: TOKEN_SPENT. */
export async function commitInsertion(
  deps: WriteDeps,
  caller: Caller,
  insertion: Insertion,
): Promise<VisibleMetaEnvelope> {
  const draft = draftInsertion(deps.ids, caller, insertion);
  const outcome = await commitDraft(deps, caller, { before: undefined, draft });
  if (outcome !== "written") throw new Error(`a new id was already taken: ${draft.after.id}`);
  return draft.after;
}
