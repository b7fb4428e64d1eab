import { randomUUID } from "node:crypto";
import { FILE_ONTOLOGY } from "@dataspace/protocol/ontology-id";
import { makeFileUri } from "@dataspace/protocol/wallet-uri";
import { everybodyMayRead } from "../../access/everybody-may-read.ts";
import { writesAsGuest } from "../../access/owner.ts";
import type { Caller } from "../../caller/caller.ts";
import { readFileInput, type UploadFileInput } from "../../meta-envelopes/file-input.ts";
import { type ReadMetaEnvelopeInput, readMetaEnvelopeInput } from "../../meta-envelopes/meta-envelope-input.ts";
import { payloadToText } from "../../meta-envelopes/payload.ts";
import { keepFile, type StoredFile } from "../../store/stored-file-rows.ts";
import { assertAuthenticated } from "../assert-authenticated.ts";
import type { OperationDeps } from "../operation-deps.ts";
import { assertMayCreate } from "./assert-may-create.ts";
import { assertMaySetPolicy } from "./assert-may-set-policy.ts";
import { commitDraft } from "./commit-draft.ts";
import { type Draft, draftInsertion } from "./draft.ts";

type UploadDeps = Pick<OperationDeps, "files" | "writes">;

/** An uploaded file: its `ds://file` address, its MetaEnvelope, and its public address, if there is one. */
export interface UploadedFile {
  readonly uri: string;
  readonly metaEnvelopeId: string;
  readonly publicUrl: string | null;
}

/**
 * Uploads a file: stores its bytes as a blob, and then creates the MetaEnvelope that describes and guards it.
 *
 * The bytes are first reserved and counted, then stored, and marked as used in the transaction that creates the
 * MetaEnvelope. So no MetaEnvelope exists without its blob, and an unused blob is found and deleted.
 * Refuses: UNAUTHENTICATED, FORBIDDEN, QUOTA_EXCEEDED, UPLOAD_FAILED, TOKEN_SPENT, INVALID_ACL, and what
 * `readFileInput` refuses.
 * Source: S1 "uploadFile"; decisions P9, V15, V21.
 */
export async function uploadFile(deps: UploadDeps, caller: Caller, input: UploadFileInput): Promise<UploadedFile> {
  assertAuthenticated(caller);
  const { files, writes } = deps;
  await assertMayCreate(writes, caller, FILE_ONTOLOGY);
  const { bytes, ...named } = readFileInput(input);
  const { owner } = caller;
  const access = await readAccess(writes, caller, input);
  const at = new Date(writes.clock.nowMs()).toISOString();
  const place = { owner, blobKey: randomUUID(), recordId: writes.ids.newUuid(), sizeBytes: bytes.length };
  const file = await files.uploads.store({ file: place, bytes, at, guest: writesAsGuest(caller, undefined) });
  const { draft, publicUrl } = draftFile(deps, caller, { file, access, described: { ...named, uploadedAt: at } });
  // Before the transaction, which must not wait for another connection.
  await writes.guard.noteAccess(caller, "write", [FILE_ONTOLOGY]);
  await writeRecord(deps, caller, { file, draft });
  return { uri: makeFileUri(owner, file.recordId), metaEnvelopeId: file.recordId, publicUrl };
}

// Checked before the bytes are stored, and before the payload is written, which states whether everybody may read it.
async function readAccess(
  writes: UploadDeps["writes"],
  caller: Caller,
  { acl, _acl }: UploadFileInput,
): Promise<ReadMetaEnvelopeInput> {
  const input = readMetaEnvelopeInput({ ontology: FILE_ONTOLOGY, payload: {}, acl: acl ?? null, _acl });
  await assertMaySetPolicy(writes, caller, input);
  return input;
}

interface DescribedFile {
  readonly file: StoredFile;
  readonly access: ReadMetaEnvelopeInput;
  readonly described: { readonly filename: string; readonly contentType: string; readonly uploadedAt: string };
}

function draftFile(
  { files, writes }: UploadDeps,
  caller: Caller,
  { file, access, described: { filename, contentType, uploadedAt } }: DescribedFile,
): { readonly draft: Draft; readonly publicUrl: string | null } {
  const isPublic = everybodyMayRead({ acl: access.acl ?? [], aclBlock: access.aclBlock ?? null, quarantined: false });
  const publicUrl = isPublic ? files.addresses.stable(file) : null;
  const payload = { filename, contentType, size: file.sizeBytes, blobKey: file.blobKey, publicUrl, uploadedAt };
  const insertion = { id: file.recordId, payloadText: payloadToText(payload), quarantined: false };
  return { draft: draftInsertion(writes.ids, caller, { ...insertion, input: { ...access, payload } }), publicUrl };
}

async function writeRecord(
  { files, writes }: UploadDeps,
  caller: Caller,
  { file, draft }: { readonly file: StoredFile; readonly draft: Draft },
): Promise<void> {
  try {
    await writes.store.database.transaction(async (transaction) => {
      if (!(await keepFile(transaction, file))) throw new Error("an upload took so long that it was swept away");
      const outcome = await commitDraft(writes, caller, { before: undefined, draft, transaction });
      if (outcome !== "written") throw new Error(`a new id was already taken: ${file.recordId}`);
    });
  } catch (error) {
    await files.uploads.discard(file);
    throw error;
  }
  writes.announce();
}
