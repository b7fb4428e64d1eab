import { type BindingDocument, bindingDocumentText, parseBindingDocument } from "@dataspace/protocol/binding-document";
import type { EName } from "@dataspace/protocol/ename";
import { readDocument } from "./read-document.ts";
import { signText } from "./sign-text.ts";
import type { WalletKey } from "./wallet-key.ts";

/** A signature of a binding document in the form that vaults accept, from the owner or from a counterparty. */
export interface BindingDocumentSignature {
  readonly signer: EName;
  readonly signature: string;
  /** ISO 8601. */
  readonly timestamp: string;
}

/** Who signs a document, with which key and when (`nowMs`, milliseconds since the epoch). */
export interface DocumentSigner {
  readonly ename: EName;
  readonly key: Pick<WalletKey, "sign" | "encoding">;
  readonly clock: { readonly nowMs: () => number };
}

/**
 * Signs a binding document, as its owner or as a counterparty.
 *
 * In: the content, with eNames in any spelling. Out: the content in the form that was signed, and the signature.
 * `createBindingDocument` takes both, `createBindingDocumentSignature` the signature.
 * Refuses: INVALID_DOCUMENT with what is wrong; KEY_FAILED.
 * Source: S1 "Binding document"; decision V14.
 */
export async function signBindingDocument(
  input: { readonly subject: unknown; readonly type: unknown; readonly data: unknown },
  { ename, key, clock }: DocumentSigner,
): Promise<{ readonly document: BindingDocument; readonly signature: BindingDocumentSignature }> {
  const document = readDocument(parseBindingDocument, input);
  const signature = await signText(key, bindingDocumentText(document));
  const timestamp = new Date(clock.nowMs()).toISOString();
  return { document, signature: { signer: ename, signature, timestamp } };
}
