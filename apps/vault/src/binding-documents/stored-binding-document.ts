import type { BindingDocument } from "@dataspace/protocol/binding-document";
import type { JsonObject } from "@dataspace/protocol/meta-envelope";
import type { DocumentSignature } from "./signature-input.ts";

/** A stored binding document, the payload of its MetaEnvelope: its content and its signatures. */
export type StoredBindingDocument = BindingDocument & { readonly signatures: readonly DocumentSignature[] };

/** Parses a stored binding document. Only this room writes them, so it is not validated again. Refuses: never. */
export function parseStoredBindingDocument(payloadText: string): StoredBindingDocument {
  return JSON.parse(payloadText) as StoredBindingDocument;
}

/** Writes the payload of a binding document, its members in the specification's order. Source: S1 "Binding document". */
export function bindingDocumentPayload(
  { subject, type, data }: BindingDocument,
  signatures: readonly DocumentSignature[],
): JsonObject {
  return {
    subject,
    type,
    data: { ...data, ...("parties" in data ? { parties: [...data.parties] } : {}) },
    signatures: signatures.map(({ signer, signature, timestamp }) => ({ signer, signature, timestamp })),
  };
}
