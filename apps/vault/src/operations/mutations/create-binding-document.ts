import { BINDING_DOCUMENT_ONTOLOGY } from "@dataspace/protocol/ontology-id";
import type { EName } from "@dataspace/protocol/ename";
import type { JsonObject } from "@dataspace/protocol/meta-envelope";
import { isOwner, mayCreate } from "../../access/owner.ts";
import { type BindingDocumentInput, readBindingDocument } from "../../binding-documents/binding-document-input.ts";
import { isSameDocument } from "../../binding-documents/is-same-document.ts";
import { readSignature, type SignatureInput } from "../../binding-documents/signature-input.ts";
import {
  bindingDocumentPayload,
  parseStoredBindingDocument,
  type StoredBindingDocument,
} from "../../binding-documents/stored-binding-document.ts";
import { isOpenedByOther } from "../../binding-documents/who-signs.ts";
import type { Caller } from "../../caller/caller.ts";
import { refusal } from "../../errors.ts";
import { payloadToText } from "../../meta-envelopes/payload.ts";
import type { VisibleMetaEnvelope } from "../../meta-envelopes/stored-meta-envelope.ts";
import { listRemovedBindingDocuments } from "../../store/removed-binding-rows.ts";
import { assertAuthenticated } from "../assert-authenticated.ts";
import type { OperationDeps } from "../operation-deps.ts";
import type { WriteDeps } from "../write-deps.ts";
import { commitInsertion } from "./create-meta-envelope.ts";

/** A binding document to create, as GraphQL has it. */
export interface CreateBindingDocumentInput extends BindingDocumentInput {
  readonly ownerSignature: SignatureInput;
}

/**
 * Creates a binding document in the addressed vault, once its signature is verified against the signer's certified
 * keys.
 *
 * The signer is the vault's owner. The other party of a social_connection with the owner may open one too. It is then
 * quarantined and readable by the two only, until the owner signs it, whoever sent it.
 * Refuses: UNAUTHENTICATED; FORBIDDEN (a caller who may not create here and does not open with its own signature;
 * anybody but the owner for a removed document); TOKEN_SPENT; PAYLOAD_TOO_LARGE; and as `readBindingDocument`,
 * `readSignature`, `isOpenedByOther` and `VerifyDocumentSignature`.
 * Source: S1 "createBindingDocument"; decisions V12, V14.
 */
export async function createBindingDocument(
  { writes, signatures }: Pick<OperationDeps, "writes" | "signatures">,
  caller: Caller,
  input: CreateBindingDocumentInput,
): Promise<VisibleMetaEnvelope> {
  assertAuthenticated(caller);
  const document = readBindingDocument(input);
  const signature = readSignature(input.ownerSignature, "ownerSignature");
  const opened = isOpenedByOther(document, signature.signer, caller.owner);
  assertMayCreate(caller, opened ? signature.signer : undefined);
  const payload = bindingDocumentPayload(document, [signature]);
  await assertNotRemoved(writes, caller, payload);
  const payloadText = payloadToText(payload);
  await signatures.verifyDocumentSignature(document, signature, "ownerSignature.signature");
  return commitInsertion(writes, caller, {
    id: writes.ids.newUuid(),
    input: { ontology: BINDING_DOCUMENT_ONTOLOGY, payload, acl: [document.subject], aclBlock: undefined },
    payloadText,
    quarantined: opened,
    openedBy: opened ? signature.signer : null,
  });
}

async function assertNotRemoved(
  { store }: Pick<WriteDeps, "store">,
  { owner, principal }: Caller,
  payload: JsonObject,
): Promise<void> {
  if (isOwner(owner, principal)) return;
  const { subject, type, data, signatures } = payload as unknown as StoredBindingDocument;
  const document = { subject, type, signature: signatures[0]?.signature ?? "" };
  const removed = await listRemovedBindingDocuments(store.database, owner, JSON.stringify(data));
  if (!removed.some((payloadText) => isSameDocument(document, parseStoredBindingDocument(payloadText)))) return;
  throw refusal("FORBIDDEN", "This binding document was removed here; only the owner of this vault brings it back.");
}

function assertMayCreate({ owner, principal }: Caller, opener: EName | undefined): void {
  const opens = principal.kind === "person" && principal.ename === opener;
  if (opens || mayCreate(owner, principal)) return;
  throw refusal(
    "FORBIDDEN",
    "Only the owner of this vault, a platform token that may write, or who opens a social_connection with the owner by its own signature creates here.",
  );
}
