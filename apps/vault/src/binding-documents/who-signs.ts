import type { BindingDocument } from "@dataspace/protocol/binding-document";
import type { EName } from "@dataspace/protocol/ename";
import { refusal } from "../errors.ts";
import type { DocumentSignature } from "./signature-input.ts";
import type { StoredBindingDocument } from "./stored-binding-document.ts";

const MAX_SIGNATURES = 32;

/**
 * Checks whether the other party of a social_connection opens a new binding document, or the vault's owner writes it.
 *
 * Out: true for the other party, whose document is visible to others only once the owner has signed it too.
 * Refuses: INVALID_SIGNER (neither; of a social_connection, not one of its parties), INVALID_BINDING_DOCUMENT (the
 * other party's names another subject than the vault's owner). Source: decision V14.
 */
export function isOpenedByOther(document: BindingDocument, signer: EName, owner: EName): boolean {
  const parties = partiesOf(document);
  if (parties !== undefined && !parties.includes(signer)) throw notAParty("ownerSignature.signer");
  if (signer === owner) return false;
  if (parties === undefined || !parties.includes(owner)) {
    const message = `The owner signature of this document is the vault owner's, ${owner}.`;
    throw refusal("INVALID_SIGNER", message, "ownerSignature.signer");
  }
  if (document.subject === owner) return true;
  const message = `A social_connection that its other party opens has this vault's owner as its subject: ${owner}.`;
  throw refusal("INVALID_BINDING_DOCUMENT", message, "subject");
}

/**
 * Checks whether a signer may add its signature to a binding document.
 *
 * Refuses: INVALID_SIGNER (of a social_connection, not one of its parties), ALREADY_SIGNED, TOO_MANY_SIGNATURES.
 * Source: decision V14.
 */
export function assertMaySign(document: StoredBindingDocument, { signer }: DocumentSignature): void {
  const { signatures } = document;
  const parties = partiesOf(document);
  if (parties !== undefined && !parties.includes(signer)) throw notAParty("signature.signer");
  if (signatures.some((given) => given.signer === signer)) {
    throw refusal("ALREADY_SIGNED", `${signer} has signed this binding document already.`, "signature.signer");
  }
  if (signatures.length >= MAX_SIGNATURES) {
    throw refusal("TOO_MANY_SIGNATURES", `A binding document has at most ${MAX_SIGNATURES} signatures.`, "signature");
  }
}

/** The two parties of a social_connection; undefined for any other binding document. */
export function partiesOf(document: BindingDocument): readonly EName[] | undefined {
  return document.type === "social_connection" ? document.data.parties : undefined;
}

function notAParty(field: string) {
  return refusal("INVALID_SIGNER", "A social_connection is signed by its two parties only.", field);
}
