import type { LocalLookups } from "../mapping/conversion.ts";
import { type Converted, fromGlobal, toGlobal } from "../mapping/convert.ts";
import type { Mapping } from "../mapping/mapping.ts";
import { createIdStore } from "../state/pairs.ts";
import type { Queryable } from "../state/state-database.ts";
import { toJsonPayload } from "../sync/payload-fields.ts";
import type { Row } from "../sync/table-access.ts";

type Payload = Readonly<Record<string, unknown>>;

/** What a platform holds in place of `ds://file` URIs, found before the transaction. */
export type FileUrls = ReadonlyMap<string, string>;

/** Converts a payload of one owner to a row, the ids looked up in this transaction. Refuses: RowFault. Source: S3 "Adapter operations". */
export async function payloadToRow(
  on: Queryable,
  mapping: Mapping,
  { payload, files, owner }: { readonly payload: Payload; readonly files: FileUrls; readonly owner: string },
): Promise<Converted> {
  const wanted = new Map<string, Set<string>>();
  fromGlobal(mapping, payload, {
    localId: (table, globalId) => {
      wanted.set(table, (wanted.get(table) ?? new Set()).add(globalId));
      return "";
    },
    file: () => undefined,
  });
  const known = new Map<string, ReadonlyMap<string, string>>();
  for (const [table, ids] of wanted) known.set(table, await createIdStore(on).localIds(table, [...ids], owner));
  const lookups: LocalLookups = {
    localId: (table, globalId) => known.get(table)?.get(globalId),
    file: (uri) => files.get(uri),
  };
  return fromGlobal(mapping, payload, lookups);
}

/**
 * Converts a row that was just written to the payload that it stands for. What its columns made of the values counts, not what was
 * put into them.
 *
 * Refuses: RowFault.
 */
export async function rowToKnown(
  on: Queryable,
  mapping: Mapping,
  { row, files }: { readonly row: Row; readonly files: FileUrls },
): Promise<Payload> {
  const wanted = new Map<string, Set<string>>();
  toGlobal(mapping, row, {
    globalId: (table, localId) => {
      wanted.set(table, (wanted.get(table) ?? new Set()).add(localId));
      return "";
    },
    fileUri: () => "",
  });
  const known = new Map<string, ReadonlyMap<string, string>>();
  for (const [table, ids] of wanted) known.set(table, await createIdStore(on).globalIds(table, [...ids]));
  const uris = new Map([...files].map(([uri, url]) => [url, uri]));
  const { result } = toGlobal(mapping, row, {
    globalId: (table, localId) => known.get(table)?.get(localId),
    fileUri: (value) => uris.get(String(value)),
  });
  return toJsonPayload(result);
}
