import type { CallOptions, Calls, WriteOptions } from "./calls.ts";
import { eachNode, type PageOptions } from "./each-node.ts";
import { invalidAnswer } from "./read-answer.ts";
import type { BindingDocumentSignatureInput, CreateBindingDocumentInput } from "./vault-inputs.ts";
import type { BindingDocument, BindingDocumentType } from "./vault-schema.ts";

/** The calls on binding documents. Each rejects with a VaultError. Source: S1 "Binding document"; decision V14. */
export interface BindingDocumentCalls {
  /** Reads one binding document by the id of its MetaEnvelope; null when the caller may read no such document. */
  readonly bindingDocument: (id: string, options?: CallOptions) => Promise<BindingDocument | null>;
  /** Lists binding documents in creation order, oldest first; of one type when `type` is given. */
  readonly bindingDocuments: (
    options?: CallOptions & Pick<PageOptions, "pageSize"> & { readonly type?: BindingDocumentType },
  ) => AsyncGenerator<BindingDocument, void, undefined>;
  /** Creates a binding document with its owner's signature. */
  readonly createBindingDocument: (
    input: CreateBindingDocumentInput,
    options?: WriteOptions,
  ) => Promise<BindingDocument>;
  /** Adds a counterparty's signature. */
  readonly signBindingDocument: (
    id: string,
    signature: BindingDocumentSignatureInput,
    options?: WriteOptions,
  ) => Promise<BindingDocument>;
}

/** Makes the calls on binding documents of one owner's vault. Refuses: as `BindingDocumentCalls`. */
export function createBindingDocumentCalls({ call }: Calls): BindingDocumentCalls {
  return {
    bindingDocument: (id, options) => call("bindingDocument", { id }, options),
    bindingDocuments: ({ type, pageSize, ...options } = {}) =>
      eachNode((page) => call("bindingDocuments", { type, ...page }, options), { pageSize }),
    createBindingDocument: async (input, options) =>
      written((await call("createBindingDocument", { input }, options)).bindingDocument),
    signBindingDocument: async (bindingDocumentId, signature, options) => {
      const input = { bindingDocumentId, signature };
      return written((await call("createBindingDocumentSignature", { input }, options)).bindingDocument);
    },
  };
}

function written(document: BindingDocument | null): BindingDocument {
  if (document !== null) return document;
  throw invalidAnswer("The vault's answer has neither the binding document nor an error.");
}
