import { BINDING_DOCUMENT_ONTOLOGY } from "@dataspace/protocol/ontology-id";
import type { Caller } from "../../caller/caller.ts";
import type { VisibleMetaEnvelope } from "../../meta-envelopes/stored-meta-envelope.ts";
import type { ReadDeps } from "../read-deps.ts";
import { readMetaEnvelope } from "./read-meta-envelope.ts";

/**
 * Reads one binding document by the id of its MetaEnvelope.
 *
 * Out: null where it does not exist, is removed, is not a binding document, or the caller may not read it; all look the
 * same.
 * Refuses: UNAUTHENTICATED, INVALID_TEXT, RESULT_TOO_LARGE, BUSY. Source: S1 "bindingDocument"; decision V13.
 */
export async function readBindingDocument(
  deps: Pick<ReadDeps, "loadMetaEnvelope" | "guard" | "budget">,
  caller: Caller,
  id: string,
): Promise<VisibleMetaEnvelope | null> {
  const found = await readMetaEnvelope(deps, caller, id);
  return found?.ontology === BINDING_DOCUMENT_ONTOLOGY ? found : null;
}
