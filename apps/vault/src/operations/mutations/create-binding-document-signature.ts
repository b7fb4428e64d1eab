import { BINDING_DOCUMENT_ONTOLOGY } from "@dataspace/protocol/ontology-id";
import { type DocumentSignature, readSignature, type SignatureInput } from "../../binding-documents/signature-input.ts";
import { bindingDocumentPayload, parseStoredBindingDocument } from "../../binding-documents/stored-binding-document.ts";
import { assertMaySign, partiesOf } from "../../binding-documents/who-signs.ts";
import type { Caller } from "../../caller/caller.ts";
import { refusal } from "../../errors.ts";
import { payloadToText } from "../../meta-envelopes/payload.ts";
import type { StoredMetaEnvelope, VisibleMetaEnvelope } from "../../meta-envelopes/stored-meta-envelope.ts";
import type { OperationDeps } from "../operation-deps.ts";
import { changeMetaEnvelope, findChangeable, type MetaEnvelopeChange } from "./change-meta-envelope.ts";
import type { Draft } from "./draft.ts";

/** A signature to add to a binding document, as GraphQL has it. */
export interface CreateBindingDocumentSignatureInput {
  readonly bindingDocumentId: string;
  readonly signature: SignatureInput;
}

/**
 * Adds a counterparty's signature to a binding document, once it is verified against the signer's certified keys. A
 * document's content never changes, so the signature is verified before the write begins and is still valid in it.
 *
 * The caller needs READ or is a party of the social_connection; one with a wallet token adds its own signature only.
 * The owner's signature releases a social_connection that the other party opened.
 * Refuses: UNAUTHENTICATED, NOT_FOUND (also for a MetaEnvelope that is not a binding document), FORBIDDEN (somebody
 * else's signature), TOKEN_SPENT, PAYLOAD_TOO_LARGE, and as `readSignature`, `assertMaySign` and
 * `VerifyDocumentSignature`.
 * Source: S1 "createBindingDocumentSignature"; decisions V8, V9, V14.
 */
export async function createBindingDocumentSignature(
  { writes, signatures }: Pick<OperationDeps, "writes" | "signatures">,
  caller: Caller,
  input: CreateBindingDocumentSignatureInput,
): Promise<VisibleMetaEnvelope> {
  const access = {
    id: input.bindingDocumentId,
    permission: "READ",
    admits: (found: StoredMetaEnvelope) => isParty(caller, found),
  } as const;
  const found = await findChangeable(writes, caller, access);
  const signature = readSignature(input.signature, "signature");
  assertOwnSignature(caller, signature);
  const change: MetaEnvelopeChange = { ...access, draft: (before) => draftSignature(before, signature) };
  change.draft(found);
  const document = parseStoredBindingDocument(found.payloadText);
  await signatures.verifyDocumentSignature(document, signature, "signature.signature");
  const { after } = await changeMetaEnvelope(writes, caller, change);
  return after;
}

function isParty({ principal }: Caller, { ontology, payloadText }: StoredMetaEnvelope): boolean {
  if (principal.kind !== "person" || ontology !== BINDING_DOCUMENT_ONTOLOGY) return false;
  return partiesOf(parseStoredBindingDocument(payloadText))?.includes(principal.ename) === true;
}

function assertOwnSignature({ credential, subject }: Caller, { signer }: DocumentSignature): void {
  if (credential !== "wallet-token" || signer === subject) return;
  throw refusal("FORBIDDEN", `A wallet token of ${subject} adds the signature of ${subject} only.`, "signature.signer");
}

function draftSignature(before: StoredMetaEnvelope, signature: DocumentSignature): Draft {
  const { id, ontology } = before;
  if (ontology !== BINDING_DOCUMENT_ONTOLOGY) {
    throw refusal("NOT_FOUND", "This MetaEnvelope is not a binding document.", "bindingDocumentId");
  }
  const document = parseStoredBindingDocument(before.payloadText);
  assertMaySign(document, signature);
  const payload = bindingDocumentPayload(document, [...document.signatures, signature]);
  const payloadText = payloadToText(payload);
  return {
    after: { ...before, payloadText },
    payload,
    operation: "update",
    hashed: { id, ontology, payloadText },
  };
}
