import { randomUUID } from "node:crypto";
import { FILE_ONTOLOGY } from "@dataspace/protocol/ontology-id";
import { makeFileUri } from "@dataspace/protocol/wallet-uri";
import { Refusal } from "@dataspace/service-kit/http/refusal";
import { everybodyMayRead } from "../../access/everybody-may-read.ts";
import { mayCreate, writesAsGuest } from "../../access/owner.ts";
import type { Caller } from "../../caller/caller.ts";
import { refusal } from "../../errors.ts";
import type { BlobAddresses } from "../../files/blob-addresses.ts";
import { readFileInput, type UploadFileInput } from "../../meta-envelopes/file-input.ts";
import { readMetaEnvelopeInput } from "../../meta-envelopes/meta-envelope-input.ts";
import { payloadToText } from "../../meta-envelopes/payload.ts";
import { keepFile, reserveFile, type StoredFile } from "../../store/stored-file-rows.ts";
import { assertAuthenticated } from "../assert-authenticated.ts";
import { type DiscardDeps, discardFile } from "../discard-file.ts";
import type { WriteDeps } from "../write-deps.ts";
import { assertMaySetPolicy } from "./assert-may-set-policy.ts";
import { commitDraft, quotaExceeded } from "./commit-draft.ts";
import type { Draft } from "./draft.ts";
import { draftInsertion } from "./insert-meta-envelope.ts";

/** What uploading needs. */
export interface UploadDeps extends WriteDeps, DiscardDeps {
  readonly addresses: Pick<BlobAddresses, "stable">;
}

/** An uploaded file: its `ds://file` address, its MetaEnvelope, and the address that works for everybody, if there is one. */
export interface UploadedFile {
  readonly uri: string;
  readonly metaEnvelopeId: string;
  readonly publicUrl: string | null;
}

/**
 * Uploads a file: its bytes become a blob, and then a MetaEnvelope that tells of it is created, which guards it from then on.
 *
 * The bytes are reserved and counted first, stored second, and kept in the very transaction that creates the MetaEnvelope: no
 * MetaEnvelope without its blob, and no blob without one for longer than it takes to notice.
 * Refuses: UNAUTHENTICATED, FORBIDDEN, QUOTA_EXCEEDED, UPLOAD_FAILED, TOKEN_SPENT, INVALID_ACL, and what `readFileInput` refuses.
 * Source: S1 "uploadFile"; decisions P9, V15, V21.
 */
export async function uploadFile(deps: UploadDeps, caller: Caller, input: UploadFileInput): Promise<UploadedFile> {
  assertAuthenticated(caller);
  if (!mayCreate(caller.owner, caller.principal)) {
    throw refusal("FORBIDDEN", "Only the owner of this vault, or a platform token that may write, uploads to it.");
  }
  const { bytes, ...named } = readFileInput(input);
  const { owner } = caller;
  const file = { owner, blobKey: randomUUID(), recordId: deps.newUuid(), sizeBytes: bytes.length };
  const at = new Date(deps.clock.nowMs()).toISOString();
  const { draft, publicUrl } = draftFile(deps, caller, {
    file,
    access: input,
    described: { ...named, uploadedAt: at },
  });
  await reserveWithinQuota(deps, caller, { file, at });
  await storeBytes(deps, file, bytes);
  await writeRecord(deps, caller, { file, draft });
  return { uri: makeFileUri(owner, file.recordId), metaEnvelopeId: file.recordId, publicUrl };
}

interface DescribedFile {
  readonly file: StoredFile;
  readonly access: Pick<UploadFileInput, "acl" | "_acl">;
  readonly described: { readonly filename: string; readonly contentType: string; readonly uploadedAt: string };
}

function draftFile(
  deps: UploadDeps,
  caller: Caller,
  { file, access, described: { filename, contentType, uploadedAt } }: DescribedFile,
): { readonly draft: Draft; readonly publicUrl: string | null } {
  // Read before the payload is written, which says whether everybody may read it.
  const input = readMetaEnvelopeInput({
    ontology: FILE_ONTOLOGY,
    payload: {},
    acl: access.acl ?? null,
    _acl: access._acl,
  });
  assertMaySetPolicy(caller, input);
  const isPublic = everybodyMayRead({ acl: input.acl ?? [], aclBlock: input.aclBlock ?? null, quarantined: false });
  const publicUrl = isPublic ? deps.addresses.stable(file) : null;
  const payload = { filename, contentType, size: file.sizeBytes, blobKey: file.blobKey, publicUrl, uploadedAt };
  const insertion = { id: file.recordId, payloadText: payloadToText(payload), quarantined: false };
  return { draft: draftInsertion(deps, caller, { ...insertion, input: { ...input, payload } }), publicUrl };
}

async function reserveWithinQuota(
  { database, reservations, underOwnerLock, withinQuota }: UploadDeps,
  caller: Caller,
  { file, at }: { readonly file: StoredFile; readonly at: string },
): Promise<void> {
  const guest = writesAsGuest(caller, undefined);
  const items = [{ records: 0, bytes: file.sizeBytes }];
  await withinQuota({ database, underOwnerLock, owner: caller.owner, guest, items }, async (on, granted) => {
    if (granted === 0) throw quotaExceeded(guest);
    // In a request that is one transaction, the reservation outlasts a rollback.
    await reserveFile(database === reservations ? on : reservations, file, { at, guest });
  });
}

async function storeBytes(deps: UploadDeps, file: StoredFile, bytes: Uint8Array): Promise<void> {
  try {
    await deps.blobs.put(file, bytes);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    deps.log.error({ err: error }, "a blob could not be stored");
    // Not forgotten: what failed here may still arrive there, and the sweep then finds it by its reservation.
    await deps.blobs.delete(file).catch(() => undefined);
    throw refusal(
      "UPLOAD_FAILED",
      "The store of files does not take this one now; nothing was written. Try again later.",
    );
  }
}

async function writeRecord(
  deps: UploadDeps,
  caller: Caller,
  { file, draft }: { readonly file: StoredFile; readonly draft: Draft },
): Promise<void> {
  try {
    await deps.database.transaction(async (transaction) => {
      if (!(await keepFile(transaction, file))) throw new Error("an upload took so long that it was swept away");
      const outcome = await commitDraft(deps, caller, { before: undefined, draft, transaction });
      if (outcome !== "written") throw new Error(`a new id was already taken: ${file.recordId}`);
    });
  } catch (error) {
    await discardFile(deps, file);
    throw error;
  }
  deps.announce();
}
