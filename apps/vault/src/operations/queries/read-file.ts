import type { Readable } from "node:stream";
import { isEName } from "@dataspace/protocol/ename";
import { FILE_ONTOLOGY } from "@dataspace/protocol/ontology-id";
import type { Refusal } from "@dataspace/service-kit/http/refusal";
import type { Log } from "@dataspace/service-kit/log";
import { everybodyMayRead } from "../../access/everybody-may-read.ts";
import type { Caller } from "../../caller/caller.ts";
import { refusal } from "../../errors.ts";
import type { BlobAddresses, SignedQuery } from "../../files/blob-addresses.ts";
import type { BlobStore } from "../../files/blob-store.ts";
import type { Payload } from "../../meta-envelopes/payload.ts";
import type { StoredMetaEnvelope } from "../../meta-envelopes/stored-meta-envelope.ts";
import { findOwnerPolicy } from "../../store/owner-policy-rows.ts";
import { findFileOfBlob, findFileOfRecord, type StoredFile } from "../../store/stored-file-rows.ts";
import { assertAuthenticated } from "../assert-authenticated.ts";
import type { ReadDeps } from "../read-deps.ts";
import { readId } from "../read-id.ts";

/** The dependencies of reading files. */
export interface FileReadDeps extends Pick<ReadDeps, "database" | "loadMetaEnvelope" | "guard"> {
  readonly blobs: BlobStore;
  readonly addresses: BlobAddresses;
  readonly log: Log;
}

/** A requested address of a blob: path segments and query, all unchecked. */
export interface AskedBlob {
  readonly owner: string;
  readonly blobKey: string;
  readonly query: SignedQuery;
}

/**
 * Finds an address of a file's bytes for a caller who may READ its MetaEnvelope: the stable one where everybody may
 * read it, otherwise a signed, short-lived one. An evidence session's address also ends with the owner's access policy
 * that it was issued under.
 *
 * The blob is the one uploaded under this MetaEnvelope's id; the payload decides nothing.
 * Refuses: UNAUTHENTICATED, INVALID_TEXT, NOT_FOUND. Source: decision V15.
 */
export async function locateFile(
  { database, loadMetaEnvelope, guard, addresses }: Omit<FileReadDeps, "blobs" | "log">,
  caller: Caller,
  id: string,
): Promise<string> {
  assertAuthenticated(caller);
  const { owner } = caller;
  const found = await loadMetaEnvelope(owner, readId(id));
  if (found === undefined || found.removed || found.ontology !== FILE_ONTOLOGY) throw noFile();
  if (!(await guard.permissionsOn(caller, found))("READ")) throw noFile();
  const file = await findFileOfRecord(database, owner, id);
  if (file === undefined) throw noFile();
  await guard.noteAccess(caller, "read", [found.ontology]);
  if (everybodyMayRead(found)) return addresses.stable(file);
  const policy = (await guard.gatesOf(caller))?.policyText;
  return addresses.signed(file, {
    version: found.version,
    policy: policy === undefined ? undefined : underPolicy(policy),
  });
}

/**
 * Finds the file of an address, requested without a credential: either everybody may read its MetaEnvelope now, or the
 * address is signed for its current version.
 *
 * Refuses: NOT_FOUND, the same for every reason. Source: decision V15.
 */
export async function findBlob(
  { database, loadMetaEnvelope, addresses }: Pick<FileReadDeps, "database" | "loadMetaEnvelope" | "addresses">,
  asked: AskedBlob,
): Promise<{ readonly file: StoredFile; readonly payload: Payload }> {
  const owner = `@${asked.owner}`;
  const known = isEName(owner) && /^[0-9a-f-]{36}$/.test(asked.blobKey);
  const file = known ? await findFileOfBlob(database, { owner, blobKey: asked.blobKey }) : undefined;
  if (file === undefined) throw noFile();
  const found = await loadMetaEnvelope(file.owner, file.recordId);
  if (found === undefined || found.removed || found.ontology !== FILE_ONTOLOGY) throw noFile();
  if (!everybodyMayRead(found) && !(await isGiven({ database, addresses }, found, { file, asked }))) throw noFile();
  return { file, payload: JSON.parse(found.payloadText) as Payload };
}

async function isGiven(
  { database, addresses }: Pick<FileReadDeps, "database" | "addresses">,
  { version }: StoredMetaEnvelope,
  { file, asked }: { readonly file: StoredFile; readonly asked: AskedBlob },
): Promise<boolean> {
  if (addresses.isSigned(file, { version, policy: undefined }, asked.query)) return true;
  const policy = underPolicy((await findOwnerPolicy(database, file.owner)) ?? "");
  return addresses.isSigned(file, { version, policy }, asked.query);
}

// Even where the owner has signed no policy, so that the first one ends the address.
function underPolicy(policyText: string): string {
  return `gated ${policyText}`;
}

/** Opens the bytes of a file. Refuses: STORAGE_UNAVAILABLE, with the cause in the log. */
export async function openBlob(
  { blobs, log }: Pick<FileReadDeps, "blobs" | "log">,
  file: StoredFile,
): Promise<Readable> {
  try {
    const bytes = await blobs.get(file);
    if (bytes !== undefined) return bytes;
    log.error({ blob: file.blobKey, owner: file.owner }, "the store of files does not have a blob that it was given");
  } catch (error) {
    log.error({ err: error }, "a blob could not be read");
  }
  throw refusal("STORAGE_UNAVAILABLE", "The store of files does not give this one now; try again later.");
}

function noFile(): Refusal {
  return refusal("NOT_FOUND", "There is no file here for you, or not any more; ask GET /files/:id for its address.");
}
