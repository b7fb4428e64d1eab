import type { GlobalLookups, PendingReference } from "../mapping/conversion.ts";
import { toGlobal } from "../mapping/convert.ts";
import { isFileContent } from "../mapping/forms/file.ts";
import type { Mapping } from "../mapping/mapping.ts";
import { createFileUris, fileKeyOf, urlKeyOf } from "../state/file-uris.ts";
import { createIdStore } from "../state/pairs.ts";
import { toJsonPayload } from "../sync/payload-fields.ts";
import type { SyncCore } from "../sync/sync.ts";
import type { Row } from "../sync/table-access.ts";
import { fileNameOf, readFileContent } from "./file-content.ts";

/** A row's payload, and the relations that wait for their targets. */
export interface RowPayload {
  readonly payload: Readonly<Record<string, unknown>>;
  readonly pending: readonly PendingReference[];
}

interface Wanted {
  readonly ids: Map<string, Set<string>>;
  readonly files: Set<unknown>;
}

/** Files are read by whoever has their address, as rows of the older family expect of a URL. */
const FILE_ACL = ["*"];

/**
 * Converts a row: first it is asked which ids and files it takes, then these are looked up and uploaded, then it is converted.
 *
 * Refuses: RowFault; the vault's errors where a file cannot be stored. Source: S3 outbound rules; decision A3.
 */
export async function rowToPayload(
  sync: SyncCore,
  mapping: Mapping,
  { row, owner, localId }: { readonly row: Row; readonly owner: string; readonly localId: string },
): Promise<RowPayload> {
  const wanted: Wanted = { ids: new Map(), files: new Set() };
  toGlobal(mapping, row, recordWanted(wanted));
  const lookups = await findWanted(sync, owner, wanted);
  const { result, issues, pending } = toGlobal(mapping, row, lookups);
  if (issues.length > 0) {
    const fields = issues.map(({ key, code }) => `${key}: ${code}`);
    sync.report({ kind: "left-out", table: mapping.tableName, localId, fields });
  }
  return { payload: toJsonPayload(result), pending };
}

function recordWanted({ ids, files }: Wanted): GlobalLookups {
  return {
    globalId: (table, localId) => {
      ids.set(table, (ids.get(table) ?? new Set()).add(localId));
      return "";
    },
    fileUri: (value) => {
      files.add(value);
      return "";
    },
  };
}

async function findWanted(sync: SyncCore, owner: string, { ids, files }: Wanted): Promise<GlobalLookups> {
  const pairs = createIdStore(sync.database);
  const known = new Map<string, ReadonlyMap<string, string>>();
  for (const [table, localIds] of ids) known.set(table, await pairs.globalIds(table, [...localIds]));
  const uris = new Map<unknown, string>();
  for (const value of files) {
    const uri = isFileContent(value)
      ? await upload(sync, owner, value)
      : await createFileUris(sync.database).find(urlKeyOf(value));
    if (uri !== undefined) uris.set(value, uri);
  }
  return {
    globalId: (table, localId) => known.get(table)?.get(localId),
    fileUri: (value) => uris.get(value),
  };
}

async function upload(sync: SyncCore, owner: string, value: unknown): Promise<string> {
  const { contentType, content } = await readFileContent(value);
  const uris = createFileUris(sync.database);
  const key = fileKeyOf(`${owner} ${contentType}`, content);
  const known = await uris.find(key);
  if (known !== undefined) return known;
  const file = { filename: fileNameOf(contentType), contentType, content, acl: FILE_ACL };
  const { uri, publicUrl } = await sync.vaults.vault(owner).uploadFile(file, { idempotencyKey: key });
  await uris.save(key, uri);
  if (publicUrl !== null) await uris.save(urlKeyOf(publicUrl), uri);
  return uri;
}
