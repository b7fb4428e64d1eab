import type { VerifyOwnerPolicy } from "../access/verify-owner-policy.ts";
import type { VerifyDocumentSignature } from "../binding-documents/verify-document-signature.ts";
import type { BlobAddresses } from "../files/blob-addresses.ts";
import type { ReadDeps } from "./read-deps.ts";
import type { Uploads } from "./uploads.ts";
import type { WriteDeps } from "./write-deps.ts";

/** What happens to a MetaEnvelope from a caller who may not create: `DS_ANONYMOUS_STORE`. Source: decision I3. */
export type AnonymousStore = "quarantine" | "allow" | "deny";

/** The dependencies of all operations of one request; each operation names the parts that it uses. */
export interface OperationDeps {
  readonly reads: ReadDeps;
  readonly writes: WriteDeps;
  readonly files: { readonly addresses: Pick<BlobAddresses, "stable">; readonly uploads: Uploads };
  readonly signatures: {
    readonly verifyOwnerPolicy: VerifyOwnerPolicy;
    readonly verifyDocumentSignature: VerifyDocumentSignature;
  };
  readonly anonymousStore: AnonymousStore;
  /** The largest result of the old lists without pages. */
  readonly unpagedCap: number;
}
