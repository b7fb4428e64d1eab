import { mayCreate } from "../../access/guard.ts";
import type { Caller } from "../../caller/caller.ts";
import { refusal } from "../../errors.ts";
import { type MetaEnvelopeInput, readMetaEnvelopeInput } from "../../meta-envelopes/meta-envelope-input.ts";
import { payloadToText } from "../../meta-envelopes/payload.ts";
import type { VisibleMetaEnvelope } from "../../meta-envelopes/stored-meta-envelope.ts";
import { assertAuthenticated } from "../assert-authenticated.ts";
import type { WriteDeps } from "../write-deps.ts";
import { commitDraft } from "./commit-draft.ts";

/**
 * Creates a MetaEnvelope in the addressed vault, under a new id and, without an `acl`, for its owner alone.
 *
 * Refuses: UNAUTHENTICATED, FORBIDDEN (neither the owner nor a platform token that may write), TOKEN_SPENT, and what
 * `readMetaEnvelopeInput` refuses.
 * Source: S1 "createMetaEnvelope"; decisions V1, V12.
 */
export async function createMetaEnvelope(
  deps: WriteDeps,
  caller: Caller,
  input: MetaEnvelopeInput,
): Promise<VisibleMetaEnvelope> {
  assertAuthenticated(caller);
  if (!mayCreate(caller.owner, caller.principal)) {
    throw refusal("FORBIDDEN", "Only the owner of this vault, or a platform token that may write, creates in it.");
  }
  const { ontology, payload, acl } = readMetaEnvelopeInput(input);
  const payloadText = payloadToText(payload);
  const id = deps.newUuid();
  const after = {
    id,
    ontology,
    payloadText,
    acl: acl ?? [caller.owner],
    aclBlock: null,
    version: 1,
    removed: false,
    quarantined: false,
    ord: deps.creationOrder(),
  };
  const draft = { after, payload, operation: "create", hashed: { id, ontology, payloadText } } as const;
  const outcome = await commitDraft(deps, caller, { before: undefined, draft });
  if (outcome !== "written") throw new Error(`a new id was already taken: ${id}`);
  return after;
}
