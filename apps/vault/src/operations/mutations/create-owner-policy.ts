import { isOwner } from "../../access/owner.ts";
import { invalidOwnerPolicy } from "../../access/verify-owner-policy.ts";
import type { Caller } from "../../caller/caller.ts";
import { refusal } from "../../errors.ts";
import { type MetaEnvelopeInput, readMetaEnvelopeInput } from "../../meta-envelopes/meta-envelope-input.ts";
import { payloadToText } from "../../meta-envelopes/payload.ts";
import type { VisibleMetaEnvelope } from "../../meta-envelopes/stored-meta-envelope.ts";
import { raiseOwnerPolicy } from "../../store/owner-policy-rows.ts";
import type { OperationDeps } from "../operation-deps.ts";
import { commitDraft } from "./commit-draft.ts";
import { draftInsertion } from "./draft.ts";

/**
 * Creates the MetaEnvelope of an owner's access policy, and with it puts the policy into force: from the next request on it decides
 * over every evidence session. Every authenticated caller may read it, whatever access the input asks for.
 *
 * The policy is signed by one of the owner's keys that are certified now, and newer than the one in force; older ones stay readable.
 * Refuses: FORBIDDEN (anybody but the owner), as `VerifyOwnerPolicy`, and as `commitDraft`.
 * Source: S3 "Canonical payloads"; decisions A1, A2.
 */
export async function createOwnerPolicy(
  { writes, signatures }: Pick<OperationDeps, "writes" | "signatures">,
  caller: Caller,
  input: MetaEnvelopeInput,
): Promise<VisibleMetaEnvelope> {
  const { owner, principal } = caller;
  if (!isOwner(owner, principal)) throw refusal("FORBIDDEN", "Only the owner of this vault sets its access policy.");
  const { ontology, payload } = readMetaEnvelopeInput({ ontology: input.ontology, payload: input.payload });
  const policy = await signatures.verifyOwnerPolicy(owner, payload);
  const payloadText = payloadToText(payload);
  const read = { ontology, payload, acl: ["*"], aclBlock: undefined };
  const draft = draftInsertion(writes.ids, caller, {
    id: writes.ids.newUuid(),
    input: read,
    payloadText,
    quarantined: false,
  });
  await writes.store.underOwnerLock(owner, async (transaction) => {
    const recordId = draft.after.id;
    const { issuedAt } = policy.statement;
    if (!(await raiseOwnerPolicy(transaction, { owner, issuedAt, recordId, policyText: payloadText }))) {
      throw invalidOwnerPolicy(
        "a policy issued at the same time or later is in force; sign a new one",
        "statement.issuedAt",
      );
    }
    const outcome = await commitDraft(writes, caller, { before: undefined, draft, transaction });
    if (outcome !== "written") throw new Error(`a new id was already taken: ${recordId}`);
  });
  writes.announce();
  return draft.after;
}
