import type { EName } from "@dataspace/protocol/ename";
import { writesAsGuest } from "../../access/owner.ts";
import type { Caller } from "../../caller/caller.ts";
import {
  type MetaEnvelopeInput,
  type ReadMetaEnvelopeInput,
  readMetaEnvelopeInput,
} from "../../meta-envelopes/meta-envelope-input.ts";
import { payloadToText } from "../../meta-envelopes/payload.ts";
import type { VisibleMetaEnvelope } from "../../meta-envelopes/stored-meta-envelope.ts";
import type { NewIds, WriteDeps } from "../write-deps.ts";
import { assertMaySetPolicy } from "./assert-may-set-policy.ts";
import { commitDraft } from "./commit-draft.ts";
import type { Draft } from "./draft.ts";

/**
 * A MetaEnvelope to insert. A quarantined one is visible only to the owner and to whoever opened it, and its event is
 * suppressed, until the owner changes it.
 */
export interface Insertion {
  readonly id: string;
  readonly input: ReadMetaEnvelopeInput;
  readonly payloadText: string;
  readonly quarantined: boolean;
  readonly openedBy?: EName | null;
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

/** Drafts the first version of a MetaEnvelope, at the next place in creation order. */
export function draftInsertion(
  { creationOrder }: Pick<NewIds, "creationOrder">,
  caller: Pick<Caller, "owner" | "principal">,
  { id, input, payloadText, quarantined, openedBy = null }: Insertion,
): Draft {
  const { owner } = caller;
  const { ontology, payload, aclBlock = null } = input;
  // Under a policy the array is the owner's alone, so that a build without policies opens nothing. Source: decision
  // V11.
  const acl = aclBlock === null ? (input.acl ?? [owner]) : [owner];
  const guest = writesAsGuest(caller, undefined);
  const state = { aclBlock, version: 1, removed: false, quarantined, openedBy, guest, ord: creationOrder() };
  return {
    after: { id, ontology, payloadText, acl, ...state },
    payload,
    operation: "create",
    announced: quarantined ? null : "create",
    hashed: { id, ontology, payloadText },
  };
}
