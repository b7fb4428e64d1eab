import type { VerifyDocumentSignature } from "../binding-documents/verify-document-signature.ts";
import type { Caller } from "../caller/caller.ts";
import type { OwnerPolicyDeps } from "../operations/mutations/create-owner-policy.ts";
import type { AnonymousStore } from "../operations/mutations/store-meta-envelope.ts";
import type { UploadDeps } from "../operations/mutations/upload-file.ts";
import type { ReadDeps } from "../operations/read-deps.ts";
import type { RequestError } from "./request-error.ts";

/** The context of every resolver: the caller, and what the operations need. */
export interface ResolverContext {
  readonly caller: Caller;
  /** Receives the refusals of a mutation, also where the document does not select them. */
  readonly addRefusal: (refused: RequestError) => void;
  readonly deps: ReadDeps &
    UploadDeps &
    OwnerPolicyDeps & {
      readonly unpagedCap: number;
      readonly anonymousStore: AnonymousStore;
      readonly verifyDocumentSignature: VerifyDocumentSignature;
    };
}

/** Resolves one field. */
export type Resolver = (source: never, args: never, context: ResolverContext) => unknown;

/** Type name, field name, resolver. */
export type ResolverTable = Readonly<Record<string, Readonly<Record<string, Resolver>>>>;
