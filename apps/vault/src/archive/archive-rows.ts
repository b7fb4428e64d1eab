import { z } from "zod";
import { type ArchiveHeader, type ArchiveManifest, ENTRY_KINDS, type EntryKind } from "./archive-format.ts";

const text = z.string().max(2 ** 24);
/** Dispatcher and gates use these texts as they are, so each is exactly one JSON object. */
const objectText = text.refine(isObjectText, "not the text of a JSON object");
const short = z.string().max(2_048);
const count = z.int().min(0);
const time = z
  .string()
  .max(40)
  .refine((value) => !Number.isNaN(Date.parse(value)), "not a time");
const uuid = z.string().regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/);
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const recordId = z.string().regex(/^[A-Za-z0-9._:@-]{1,128}$/);
const names = z.array(short).max(100_000);
/** As at the API. Source: decision V12. */
const MOST_ACL_ENTRIES = 256;
const operation = z.enum(["create", "update", "delete"]);

/** The rows of each kind. A member that is missing or unknown is refused. Only a blob's key ever becomes a path. */
const ROWS: Readonly<Record<EntryKind, z.ZodType>> = {
  key: z.strictObject({
    key_id: short,
    public_key: short,
    point: z.string().regex(/^[0-9a-f]{130}$/),
    added_at: time,
    added_by: short,
    removed_at: time.nullable(),
    removed_by: short.nullable(),
  }),
  version: z.strictObject({
    record_id: recordId,
    version: count.min(1),
    log_id: uuid,
    operation,
    log_operation: z.literal("update_envelope_value").nullable(),
    baseline: z.boolean(),
    suppressed: z.boolean(),
    ontology: short,
    payload: text.nullable(),
    envelope_hash: sha256,
    platform: short.nullable(),
    author: short.nullable(),
    subject: short.nullable(),
    credential: short,
    restored_from: count.nullable(),
    at: time,
  }),
  record: z.strictObject({
    id: recordId,
    ontology: short,
    payload: text,
    acl: z.array(short).max(MOST_ACL_ENTRIES).nullable(),
    acl_block: objectText.nullable(),
    version: count,
    removed: z.boolean(),
    quarantined: z.boolean(),
    credential: short,
    ord: z.int(),
    opened_by: short.nullable(),
    guest: z.boolean(),
  }),
  group: z.strictObject({
    record_id: recordId,
    version: count,
    ord: z.int(),
    current: z.boolean(),
    by_owner: z.boolean(),
    statement: text,
    granted: names,
    denied: names.nullable(),
  }),
  policy: z.strictObject({ issued_at: time, record_id: recordId, policy: objectText }),
  event: z.strictObject({
    stream_id: recordId,
    stream_version: count.min(1),
    event_id: uuid,
    body: objectText,
    requesting_platform: short.nullable(),
    policy: objectText,
    occurred_at: time,
  }),
  access: z.strictObject({
    id: uuid,
    day: z.string().regex(/^\d{4}-\d\d-\d\d$/),
    platform: short,
    deployment: short,
    version: short,
    level: short,
    issuer: short,
    certificate_id: short,
    domain: short,
    action: z.enum(["read", "write"]),
    first_at: time,
    last_at: time,
    expires_at: time,
  }),
  answer: z.strictObject({
    caller: short,
    key_hash: sha256,
    body_hash: sha256,
    expires_at: time,
    answer: text.nullable(),
  }),
  token: z.strictObject({ token: short, expires_at: time }),
  file: z.strictObject({
    blob_key: uuid,
    record_id: recordId,
    size_bytes: count.max(10_485_760),
    created_at: time,
    guest: z.boolean(),
  }),
  blob: z.strictObject({ blob_key: uuid, size_bytes: count.max(10_485_760), sha256, data: text }),
};

const digest = z.strictObject({ count, sha256 });
const MANIFEST: z.ZodType<ArchiveManifest> = z.strictObject({
  kinds: z.strictObject(
    Object.fromEntries(ENTRY_KINDS.map((kind) => [kind, digest])) as Record<EntryKind, typeof digest>,
  ),
  digest: sha256,
});

/** The members of a header beside format, version and owner. Whoever reads it decides about those. */
const HEADER: z.ZodType<Pick<ArchiveHeader, "vaultId" | "createdAt" | "exportedAt" | "minReader" | "moveId">> =
  z.object({
    vaultId: z.string().min(1).max(256),
    createdAt: time,
    exportedAt: time,
    minReader: count,
    moveId: uuid.nullable(),
  });

/** Checks a value as a manifest. Out: undefined for any other value. Refuses: never. */
export function toManifest(value: unknown): ArchiveManifest | undefined {
  return MANIFEST.safeParse(value).data;
}

/** Checks the members of a header that are stored. Refuses: never. */
export function isWholeHeader(value: unknown): boolean {
  return HEADER.safeParse(value).success;
}

function isObjectText(value: string): boolean {
  try {
    const read: unknown = JSON.parse(value);
    return typeof read === "object" && read !== null && !Array.isArray(read);
  } catch {
    return false;
  }
}

/** Checks one row by its kind. Out: what is wrong with it; undefined where it is valid. Refuses: never. */
export function assertEntry(kind: EntryKind, value: unknown): string | undefined {
  const read = ROWS[kind].safeParse(value);
  if (read.success) return undefined;
  const [issue] = read.error.issues;
  return `${issue?.path.join(".") || "the row"}: ${issue?.message ?? "wrong"}`;
}
