import { BINDING_DOCUMENT_ONTOLOGY } from "@dataspace/protocol/ontology-id";
import type { Caller } from "../../caller/caller.ts";
import type { VisibleMetaEnvelope } from "../../meta-envelopes/stored-meta-envelope.ts";
import type { Connection } from "../../paging/connection.ts";
import type { PageArguments } from "../../paging/page-request.ts";
import type { ReadDeps } from "../read-deps.ts";
import { listFiltered } from "./list-meta-envelopes.ts";

/** The arguments for a page of binding documents, as GraphQL has them; without a type, of all types. */
export interface BindingDocumentsArguments extends PageArguments {
  readonly type?: string | null;
}

/**
 * Lists the binding documents that the caller may read, oldest first, all or those of one type.
 *
 * Refuses: UNAUTHENTICATED, INVALID_PAGINATION, BAD_CURSOR, RESULT_TOO_LARGE, BUSY. Source: S1 "bindingDocuments";
 * decisions V1, V3, V13.
 */
export function listBindingDocuments(
  deps: Omit<ReadDeps, "loadMetaEnvelope">,
  caller: Caller,
  args: BindingDocumentsArguments,
): Promise<Connection<VisibleMetaEnvelope>> {
  const ofType = args.type == null ? {} : { bindingType: args.type };
  const filter = { ontologyId: BINDING_DOCUMENT_ONTOLOGY, search: undefined, ...ofType };
  return listFiltered(deps, caller, { name: "bindingDocuments", filter, args });
}
