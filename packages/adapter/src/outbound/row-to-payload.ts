import type { GlobalLookups, PendingReference } from "../mapping/conversion.ts";
import { toGlobal } from "../mapping/convert.ts";
import { isFileContent } from "../mapping/forms/file.ts";
import type { Mapping } from "../mapping/mapping.ts";
import { RowFault } from "../mapping/row-fault.ts";
import { createIdStore } from "../state/pairs.ts";
import { toJsonPayload } from "../sync/payload-fields.ts";
import type { SyncCore } from "../sync/sync.ts";
import type { Row } from "../sync/table-access.ts";
import { findStoredFile, findUriOfUrl, storeFile } from "./store-file.ts";

/** A row's payload, and the relations that wait for their targets. */
export interface RowPayload {
  readonly payload: Readonly<Record<string, unknown>>;
  readonly pending: readonly PendingReference[];
}

/** A row that is to be converted. */
export interface OwnedRow {
  readonly row: Row;
  readonly owner: string;
  readonly localId: string;
}

/** Whether files that the vault does not have are stored, or stand in the payload as a URI that no file has. */
export type FileMode = "store" | "compare";

interface Wanted {
  readonly ids: Map<string, Set<string>>;
  readonly files: Set<unknown>;
}

type KnownIds = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** What a file stands for that no vault has. It differs from every URI. */
const NOT_STORED = "ds://file?id=";

/**
 * Converts a row: first it is asked which ids and files it takes, then these are looked up and uploaded, then it is converted.
 *
 * Refuses: RowFault; the vault's errors where a file cannot be stored. Source: S3 outbound rules; decision A3.
 */
export async function rowToPayload(
  sync: SyncCore,
  mapping: Mapping,
  owned: OwnedRow & { readonly files?: FileMode },
): Promise<RowPayload> {
  const wanted: Wanted = { ids: new Map(), files: new Set() };
  toGlobal(mapping, owned.row, recordWanted(wanted));
  const ids = await findIds(sync, wanted);
  const lookups = await findLookups(sync, { owned, wanted, ids, mode: owned.files ?? "store" });
  return convert(sync, mapping, { owned, lookups });
}

/**
 * Converts rows without files, with one look-up of ids for all.
 *
 * Out: a payload, or undefined for a row that cannot be converted, in order. Refuses: the database's errors.
 */
export async function rowsToPayloads(
  sync: SyncCore,
  mapping: Mapping,
  rows: readonly OwnedRow[],
): Promise<readonly (RowPayload | undefined)[]> {
  const wanted: Wanted = { ids: new Map(), files: new Set() };
  const convertible = rows.map((owned) => unlessFault(() => toGlobal(mapping, owned.row, recordWanted(wanted))));
  const ids = await findIds(sync, wanted);
  const lookups = { globalId: (table: string, id: string) => ids.get(table)?.get(id), fileUri: () => undefined };
  return rows.map((owned, at) =>
    convertible[at] === undefined ? undefined : unlessFault(() => convert(sync, mapping, { owned, lookups })),
  );
}

function unlessFault<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof RowFault) return undefined;
    throw error;
  }
}

function convert(
  sync: SyncCore,
  mapping: Mapping,
  { owned, lookups }: { readonly owned: OwnedRow; readonly lookups: GlobalLookups },
): RowPayload {
  const { row, localId } = owned;
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
      const some = ids.get(table) ?? new Set();
      ids.set(table, some.add(localId));
      return "";
    },
    fileUri: (value) => {
      files.add(value);
      return "";
    },
  };
}

async function findIds(sync: SyncCore, { ids }: Wanted): Promise<KnownIds> {
  const pairs = createIdStore(sync.database);
  const known = new Map<string, ReadonlyMap<string, string>>();
  for (const [table, localIds] of ids) known.set(table, await pairs.globalIds(table, [...localIds]));
  return known;
}

interface Looked {
  readonly owned: OwnedRow;
  readonly wanted: Wanted;
  readonly ids: KnownIds;
  readonly mode: FileMode;
}

async function findLookups(sync: SyncCore, { owned: { owner }, wanted, ids, mode }: Looked): Promise<GlobalLookups> {
  const uris = new Map<unknown, string>();
  for (const value of wanted.files) {
    const uri = isFileContent(value)
      ? await findFile(sync, { owner, value, mode })
      : await findUriOfUrl(sync, owner, value);
    if (uri !== undefined) uris.set(value, uri);
  }
  return { globalId: (table, localId) => ids.get(table)?.get(localId), fileUri: (value) => uris.get(value) };
}

async function findFile(
  sync: SyncCore,
  { owner, value, mode }: { readonly owner: string; readonly value: unknown; readonly mode: FileMode },
): Promise<string> {
  if (mode === "store") return storeFile(sync, owner, value);
  return (await findStoredFile(sync, owner, value)) ?? NOT_STORED;
}
