import { createHash } from "node:crypto";
import { createVerifyEcdsa } from "@dataspace/clients/verify-ecdsa";
import { bindingDocumentText, parseBindingDocument } from "@dataspace/protocol/binding-document";
import { BINDING_DOCUMENT_ONTOLOGY } from "@dataspace/protocol/ontology-id";
import { pointToSpki } from "@dataspace/protocol/public-key";
import { verifySignature } from "@dataspace/protocol/signature";
import { parseSignedOwnerPolicy } from "@dataspace/protocol/signed-owner-policy";
import type { EName } from "@dataspace/protocol/ename";
import { ArchiveError } from "../archive/archive-error.ts";
import type { EntryKind } from "../archive/archive-format.ts";
import { envelopeHash } from "../meta-envelopes/envelope-hash.ts";

/** How many hashes and signatures verified. `unchecked` are signatures by others, whose keys an archive does not have. */
export interface CheckedEntries {
  readonly hashes: number;
  readonly signatures: number;
  readonly unchecked: number;
}

/** The checks of an archive's entries while they pass by, in the order of the archive. */
export interface EntryChecks {
  readonly check: (kind: EntryKind, row: Row) => Promise<void>;
  /** Refuses what is incomplete at the end: versions without a record, and a file without content. */
  readonly finish: () => CheckedEntries;
}

type Row = Readonly<Record<string, unknown>>;

interface Checked {
  readonly owner: EName;
  readonly points: Buffer[];
  last: Row | undefined;
  versions: number;
  hashes: number;
  signatures: number;
  unchecked: number;
  readonly files: Map<string, number>;
}

/** Bounds of the work on one record: a signature may have to be tried with each key. Source: decision I6. */
const MOST_KEYS = 200;
const MOST_SIGNATURES = 32;

/**
 * Starts the checks of one owner's entries: the order and hashes of versions, events, and files. Each record must be its last
 * version, and a key among the entries must have made each signature of the owner.
 *
 * An archive is checked with them offline, and so are the rows that an import has stored. Memory grows with the number
 * of files alone. Refuses: ARCHIVE_INVALID, ARCHIVE_ALTERED, ARCHIVE_SIGNATURE_INVALID. Source: decision V18.
 */
export function createEntryChecks(owner: EName): EntryChecks {
  const checked: Checked = { ...START, owner, points: [], files: new Map() };
  return {
    check: async (kind, row) => CHECKS[kind]?.(checked, row),
    finish: () => {
      const { last, files, hashes, signatures, unchecked } = checked;
      if (last !== undefined) throw invalid(`the versions of ${last["record_id"]} have no record`);
      for (const [blobKey] of files) throw invalid(`the file ${blobKey} has no content`);
      return { hashes, signatures, unchecked };
    },
  };
}

const START = { last: undefined, versions: 0, hashes: 0, signatures: 0, unchecked: 0 };
const verifyEcdsa = createVerifyEcdsa();

const CHECKS: Partial<Record<EntryKind, (checked: Checked, row: Row) => void | Promise<void>>> = {
  key: ({ points }, row) => {
    if (points.length === MOST_KEYS) throw invalid(`the owner has more than ${MOST_KEYS} keys`);
    points.push(Buffer.from(row["point"] as string, "hex"));
  },
  version: checkVersion,
  record: checkRecord,
  policy: checkPolicy,
  event: ({ owner }, row) => {
    const body = parseObject(row["body"], `the event ${row["event_id"]}`);
    const same = body["dsid"] === owner && body["eventId"] === row["event_id"] && body["id"] === row["stream_id"];
    if (!same) throw invalid(`the event ${row["event_id"]} is not one of this owner and record`);
  },
  file: ({ files }, row) => {
    files.set(row["blob_key"] as string, row["size_bytes"] as number);
  },
  blob: checkBlob,
};

// A version's hash covers what was sent: the payload of a creation or a rollback, the id of a removal; of an update, a
// patch that the vault does not store.
function checkVersion(checked: Checked, row: Row): void {
  const [id, version] = [row["record_id"] as string, row["version"] as number];
  const follows = checked.last === undefined || checked.last["record_id"] === id;
  if (!follows) throw invalid(`the versions of ${checked.last?.["record_id"]} have no record`);
  if (version !== checked.versions + 1) throw invalid(`version ${checked.versions + 1} of ${id} is missing`);
  checked.last = row;
  checked.versions = version;
  const expected = hashOf(row);
  if (expected === undefined) return;
  checked.hashes += 1;
  if (expected !== row["envelope_hash"]) throw invalid(`version ${version} of ${id} differs from its hash`);
}

function hashOf(row: Row): string | undefined {
  const { record_id: id, operation, payload, ontology, restored_from: restored } = row;
  if (operation === "delete") return envelopeHash({ id: id as string });
  const isWhole = typeof payload === "string" && (operation === "create" || restored !== null);
  if (!isWhole) return undefined;
  return envelopeHash({ id: id as string, ontology: ontology as string, payloadText: payload });
}

async function checkRecord(checked: Checked, row: Row): Promise<void> {
  const { last, versions } = checked;
  const id = row["id"] as string;
  const isLast = last === undefined || last["record_id"] === id;
  if (!isLast || versions !== row["version"]) throw invalid(`${id} does not have ${row["version"]} versions`);
  const isErased = last !== undefined && last["payload"] === null && row["removed"] === true;
  if (last !== undefined && !isErased && (last["operation"] === "delete") !== row["removed"]) {
    throw invalid(`${id} is not as its last version left it`);
  }
  const stored = last !== undefined && last["operation"] !== "delete" && last["payload"] !== null;
  if (stored && last["payload"] !== row["payload"]) throw invalid(`${id} differs from its last version`);
  checked.last = undefined;
  checked.versions = 0;
  const payload = parseObject(row["payload"], id);
  if (row["ontology"] === BINDING_DOCUMENT_ONTOLOGY && payload["signatures"] !== undefined) {
    await checkDocument(checked, id, payload);
  }
}

async function checkDocument(checked: Checked, id: string, payload: Row): Promise<void> {
  const { subject, type, data, signatures } = payload;
  const text = orInvalid(id, () => bindingDocumentText(parseBindingDocument({ subject, type, data })));
  const listed = Array.isArray(signatures) ? (signatures as readonly (Row | null)[]) : [];
  if (listed.length > MOST_SIGNATURES) throw invalid(`${id} has more than ${MOST_SIGNATURES} signatures`);
  for (const item of listed) {
    const { signer, signature } = item ?? {};
    if (signer === checked.owner) await checkSignature(checked, id, { text, signature: String(signature) });
    else checked.unchecked += 1;
  }
}

async function checkPolicy(checked: Checked, row: Row): Promise<void> {
  const id = row["record_id"] as string;
  const value = parseObject(row["policy"], id);
  const policy = await parseSignedOwnerPolicy(value).catch((cause: Error) => {
    throw invalid(`the access policy ${id} is malformed: ${cause.message}`);
  });
  if (policy.signer !== checked.owner) throw invalid(`the access policy ${id} is not the owner's`);
  await checkSignature(checked, id, { text: policy.payload, signature: policy.signature });
}

async function checkSignature(
  checked: Checked,
  id: string,
  { text, signature }: { readonly text: string; readonly signature: string },
): Promise<void> {
  const data = new TextEncoder().encode(text);
  for (const point of checked.points) {
    if ((await verifySignature(verifyEcdsa, { key: pointToSpki(point), data, signature })) === undefined) continue;
    checked.signatures += 1;
    return;
  }
  throw new ArchiveError(
    "ARCHIVE_SIGNATURE_INVALID",
    `No key of the owner in the archive made the signature of ${id}. Do not trust this archive.`,
  );
}

function checkBlob({ files }: Checked, row: Row): void {
  const blobKey = row["blob_key"] as string;
  const bytes = Buffer.from(row["data"] as string, "base64");
  const isSame = files.get(blobKey) === bytes.length && row["size_bytes"] === bytes.length;
  if (!isSame) throw invalid(`the file ${blobKey} is not the one that is listed`);
  if (createHash("sha256").update(bytes).digest("hex") !== row["sha256"]) {
    throw new ArchiveError("ARCHIVE_ALTERED", `The file ${blobKey} differs from its checksum. Export the vault again.`);
  }
  files.delete(blobKey);
}

function parseObject(text: unknown, what: string): Row {
  const value = orInvalid(what, () => JSON.parse(text as string) as unknown);
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw invalid(`${what} is not an object`);
  return value as Row;
}

function orInvalid<T>(what: string, read: () => T): T {
  try {
    return read();
  } catch {
    throw invalid(`${what} cannot be read`);
  }
}

function invalid(why: string): ArchiveError {
  return new ArchiveError("ARCHIVE_INVALID", `The archive contradicts itself: ${why}. Export the vault again.`);
}
