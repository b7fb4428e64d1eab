import { signatureCandidates } from "@dataspace/protocol/signature";
import type { StoredBindingDocument } from "./stored-binding-document.ts";

const R_BYTES = 32;

/**
 * Checks whether a document with the same `data` as a removed one is that document again: the same subject and type,
 * and one of its signatures. Signatures are compared by their r, because anybody can respell one or negate its s
 * without the key.
 *
 * Refuses: never. Source: decisions I9, V14.
 */
export function isSameDocument(
  document: Pick<StoredBindingDocument, "subject" | "type"> & { readonly signature: string },
  removed: StoredBindingDocument,
): boolean {
  if (document.subject !== removed.subject || document.type !== removed.type) return false;
  const given = readingsOfR(document.signature);
  return removed.signatures.some(({ signature }) => readingsOfR(signature).some((r) => given.includes(r)));
}

function readingsOfR(signature: string): readonly string[] {
  return signatureCandidates(signature).map(({ bytes64 }) =>
    Buffer.from(bytes64.subarray(0, R_BYTES)).toString("base64"),
  );
}
