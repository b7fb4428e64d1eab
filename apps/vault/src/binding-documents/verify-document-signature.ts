import { isUnknownEName } from "@dataspace/clients/certified-keys";
import { type BindingDocument, bindingDocumentText } from "@dataspace/protocol/binding-document";
import type { HasSigned } from "@dataspace/clients/has-signed";
import type { EName } from "@dataspace/protocol/ename";
import type { Refusal } from "@dataspace/service-kit/http/refusal";
import type { Log } from "@dataspace/service-kit/log";
import { refusal } from "../errors.ts";
import type { DocumentSignature } from "./signature-input.ts";

/**
 * Verifies a signature over a binding document. `field` is its place, for messages.
 *
 * Refuses: INVALID_SIGNATURE; REGISTRY_UNAVAILABLE when the signer's keys are not available.
 */
export type VerifyDocumentSignature = (
  document: BindingDocument,
  signature: DocumentSignature,
  field: string,
) => Promise<void>;

/**
 * Makes the verifier of binding documents' signatures: one of the signer's currently certified keys must have made it.
 * All keys are looked up in the same way, also those of owners in this vault service, so that a signature that verifies
 * here verifies anywhere. They are requested again each time, so that a removed key is refused and a new one accepted
 * at once.
 *
 * Source: decisions I9, V14.
 */
export function createVerifyDocumentSignature(deps: {
  readonly log: Log;
  readonly hasSigned: HasSigned;
}): VerifyDocumentSignature {
  return async (document, { signer, signature }, field) => {
    const signed = { signer, text: bindingDocumentText(document), signature, fresh: true };
    const isSigned = await deps.hasSigned(signed).catch((error: unknown) => {
      throw toRefusal(error, { signer, field, log: deps.log });
    });
    if (!isSigned) throw invalid(`No key certified for ${signer} made this signature over the document.`, field);
  };
}

function toRefusal(
  error: unknown,
  { signer, field, log }: { readonly signer: EName; readonly field: string; readonly log: Log },
): Refusal {
  // An unknown eName is an answer: a retry would not make the signature valid.
  if (isUnknownEName(error)) {
    return invalid(`No vault of ${signer} is known, so no key of it is.`, field);
  }
  log.warn({ err: error, ename: signer }, "the certified keys of a signer are not available");
  const message = `The registry or the vault of ${signer} does not answer, so its keys are not known now; try again.`;
  return refusal("REGISTRY_UNAVAILABLE", message, field);
}

function invalid(why: string, field: string): Refusal {
  return refusal("INVALID_SIGNATURE", `${why} What is signed is the canonical JSON of {data, subject, type}.`, field);
}
