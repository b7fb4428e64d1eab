import { isUnknownEName } from "@dataspace/clients/certified-keys";
import { type BindingDocument, bindingDocumentText } from "@dataspace/protocol/binding-document";
import type { HasSigned } from "@dataspace/clients/has-signed";
import type { EName } from "@dataspace/protocol/ename";
import type { Refusal } from "@dataspace/service-kit/http/refusal";
import type { Log } from "@dataspace/service-kit/log";
import { refusal } from "../errors.ts";
import type { DocumentSignature } from "./signature-input.ts";

/**
 * Verifies a signature over a binding document. `field` is where it stands, for messages.
 *
 * Refuses: INVALID_SIGNATURE; REGISTRY_UNAVAILABLE when the signer's keys cannot be had now.
 */
export type VerifyDocumentSignature = (
  document: BindingDocument,
  signature: DocumentSignature,
  field: string,
) => Promise<void>;

/**
 * Makes the verifier of binding documents' signatures: one of the signer's keys that are certified now made it. Everybody's keys
 * are asked for in the same way, also those of owners in this very vault, so that what verifies here verifies anywhere; and they
 * are asked for anew, so that a removed key signs no more and a new one does at once.
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
  // That nobody has this name is an answer: asking again would not make the signature better.
  if (isUnknownEName(error)) {
    return invalid(`No vault of ${signer} is known, so no key of it is.`, field);
  }
  log.warn({ err: error, ename: signer }, "the certified keys of a signer cannot be had");
  const message = `The registry or the vault of ${signer} does not answer, so its keys are not known now; try again.`;
  return refusal("REGISTRY_UNAVAILABLE", message, field);
}

function invalid(why: string, field: string): Refusal {
  return refusal("INVALID_SIGNATURE", `${why} What is signed is the canonical JSON of {data, subject, type}.`, field);
}
