import { Refusal } from "@dataspace/service-kit/http/refusal";
import type { VaultErrorCode } from "../errors.ts";
import type { UploadFileInput } from "../meta-envelopes/file-input.ts";
import type { MetaEnvelopeInput } from "../meta-envelopes/meta-envelope-input.ts";
import { policyInForce } from "../meta-envelopes/policy-in-force.ts";
import type { VisibleMetaEnvelope } from "../meta-envelopes/stored-meta-envelope.ts";
import type { Version } from "../meta-envelopes/version.ts";
import { type BulkItem, bulkCreateMetaEnvelopes } from "../operations/mutations/bulk-create-meta-envelopes.ts";
import {
  type CreateBindingDocumentInput,
  createBindingDocument,
} from "../operations/mutations/create-binding-document.ts";
import {
  type CreateBindingDocumentSignatureInput,
  createBindingDocumentSignature,
} from "../operations/mutations/create-binding-document-signature.ts";
import { createMetaEnvelope } from "../operations/mutations/create-meta-envelope.ts";
import { removeMetaEnvelope } from "../operations/mutations/remove-meta-envelope.ts";
import { rollbackMetaEnvelope } from "../operations/mutations/rollback-meta-envelope.ts";
import { updateMetaEnvelope } from "../operations/mutations/update-meta-envelope.ts";
import { uploadFile } from "../operations/mutations/upload-file.ts";
import { type BindingDocumentsArguments, listBindingDocuments } from "../operations/queries/list-binding-documents.ts";
import { type HistoryArguments, listMetaEnvelopeHistory } from "../operations/queries/list-meta-envelope-history.ts";
import { listVisibleMetaEnvelopes, type MetaEnvelopesArguments } from "../operations/queries/list-meta-envelopes.ts";
import { readBindingDocument } from "../operations/queries/read-binding-document.ts";
import { readMetaEnvelope } from "../operations/queries/read-meta-envelope.ts";
import { answerEnvelopes, answerPayload, toParsed } from "./meta-envelope-fields.ts";
import type { Resolver, ResolverContext, ResolverTable } from "./resolver.ts";

/** An entry of a mutation's `errors`. Source: S1 "Errors". */
interface UserError {
  readonly field: string | null;
  readonly message: string;
  readonly code: VaultErrorCode;
}

/** Type name, field name, resolver. Other fields are members of their source. */
export const RESOLVERS: ResolverTable = {
  Query: {
    metaEnvelope: (_: unknown, { id }: { id: string }, { deps, caller }) => readMetaEnvelope(deps.reads, caller, id),
    metaEnvelopes: (_: unknown, args: MetaEnvelopesArguments, { deps, caller }) =>
      listVisibleMetaEnvelopes(deps.reads, caller, args),
    metaEnvelopeHistory: (_: unknown, args: HistoryArguments, { deps, caller }) =>
      listMetaEnvelopeHistory(deps.reads, caller, args),
    bindingDocument: (_: unknown, { id }: { id: string }, { deps, caller }) =>
      readBindingDocument(deps.reads, caller, id),
    bindingDocuments: (_: unknown, args: BindingDocumentsArguments, { deps, caller }) =>
      listBindingDocuments(deps.reads, caller, args),
  },
  Mutation: {
    createMetaEnvelope: (_: unknown, { input }: { input: MetaEnvelopeInput }, context) =>
      asPayload(context, { metaEnvelope: null }, async () => ({
        metaEnvelope: await createMetaEnvelope(context.deps, context.caller, input),
      })),
    updateMetaEnvelope: (_: unknown, args: { id: string; input: MetaEnvelopeInput }, context) =>
      asPayload(context, { metaEnvelope: null }, async () => ({
        metaEnvelope: await updateMetaEnvelope(context.deps.writes, context.caller, args),
      })),
    bulkCreateMetaEnvelopes: (_: unknown, bulk: { inputs: readonly BulkItem[]; skipWebhooks: boolean }, context) =>
      asPayload(context, { results: [], successCount: 0, errorCount: 0 }, () =>
        bulkCreateMetaEnvelopes(context.deps.writes, context.caller, bulk),
      ),
    rollbackMetaEnvelope: (_: unknown, args: { id: string; version: number }, context) =>
      asPayload(context, { metaEnvelope: null, version: null, restoredFromVersion: null }, () =>
        rollbackMetaEnvelope(context.deps.writes, context.caller, args),
      ),
    uploadFile: (_: unknown, { input }: { input: UploadFileInput }, context) =>
      asPayload(context, { uri: null, metaEnvelopeId: null, publicUrl: null }, () =>
        uploadFile(context.deps, context.caller, input),
      ),
    removeMetaEnvelope: (_: unknown, { id }: { id: string }, context) =>
      asPayload(context, { deletedId: id, success: false }, async () => ({
        deletedId: await removeMetaEnvelope(context.deps.writes, context.caller, id),
        success: true,
      })),
    createBindingDocument: (_: unknown, { input }: { input: CreateBindingDocumentInput }, context) =>
      asPayload(context, { bindingDocument: null, metaEnvelopeId: null }, async () => {
        const bindingDocument = await createBindingDocument(context.deps, context.caller, input);
        return { bindingDocument, metaEnvelopeId: bindingDocument.id };
      }),
    createBindingDocumentSignature: (_: unknown, { input }: { input: CreateBindingDocumentSignatureInput }, context) =>
      asPayload(context, { bindingDocument: null }, async () => ({
        bindingDocument: await createBindingDocumentSignature(context.deps, context.caller, input),
      })),
  },
  MetaEnvelope: {
    parsed: answerPayload,
    envelopes: answerEnvelopes,
    _acl: (metaEnvelope: VisibleMetaEnvelope, _: unknown, { caller }) => policyInForce(caller.owner, metaEnvelope),
  },
  BindingDocument: {
    parsed: answerPayload,
    envelopes: answerEnvelopes,
    subject: parsedMember("subject"),
    type: parsedMember("type"),
    data: parsedMember("data"),
    signatures: parsedMember("signatures"),
  },
  MetaEnvelopeVersion: {
    parsed: answerPayload,
    createdAt: ({ createdAt }: Version) => createdAt.toISOString(),
  },
  MetaEnvelopeConnection: { totalCount: callMember("totalCount") },
  MetaEnvelopeEdge: { cursor: callMember("cursor") },
  BindingDocumentConnection: { totalCount: callMember("totalCount") },
  BindingDocumentEdge: { cursor: callMember("cursor") },
  MetaEnvelopeVersionConnection: { totalCount: callMember("totalCount") },
  MetaEnvelopeVersionEdge: { cursor: callMember("cursor") },
  PageInfo: { startCursor: callMember("startCursor"), endCursor: callMember("endCursor") },
};

/** Resolves a field to a member of the payload. */
function parsedMember(name: string): Resolver {
  return (metaEnvelope: VisibleMetaEnvelope) => toParsed(metaEnvelope)[name];
}

/** Resolves a field by calling the member of its source, so that an unselected field is not computed. */
function callMember(name: string): Resolver {
  return (source: Readonly<Record<string, () => unknown>>) => source[name]?.();
}

/**
 * Runs a mutation. It puts the refusal into the payload's `errors`, and always into `addRefusal`, because the document
 * may not select `errors`. Other errors are thrown on.
 *
 * In: `refused` are the payload's other members after a refusal. Out: the payload, `errors` empty on success.
 * Source: S1 "Errors"; decision V2.
 */
async function asPayload<Payload extends object>(
  { addRefusal }: ResolverContext,
  refused: { readonly [Name in keyof Payload]: Payload[Name] | null },
  run: () => Promise<Payload>,
): Promise<object> {
  try {
    return { ...(await run()), errors: [] };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { message, field = null } = error;
    const userError: UserError = { field, message, code: error.code as VaultErrorCode };
    addRefusal({ message, extensions: { code: userError.code } });
    return { ...refused, errors: [userError] };
  }
}
