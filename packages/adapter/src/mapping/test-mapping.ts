import type { GlobalLookups, LocalLookups } from "./conversion.ts";
import { createMappings } from "./create-mappings.ts";
import type { Mapping } from "./mapping.ts";

/** Makes a mapping for tests from its entries; relations may go to users and posts. */
export function mappingOf(entries: Readonly<Record<string, string>>, members: object = {}): Mapping {
  const rest = { ownerEnamePath: "ename", localToUniversalMap: { name: "name" } };
  const { byTable } = createMappings([
    {
      file: "rows.json",
      document: { tableName: "rows", schemaId: "r", ownerEnamePath: "ename", localToUniversalMap: entries, ...members },
    },
    { file: "users.json", document: { tableName: "users", schemaId: "u", ...rest } },
    { file: "posts.json", document: { tableName: "posts", schemaId: "p", ...rest } },
  ]);
  return byTable.get("rows") as Mapping;
}

/** Lookups in which every row has a record, and every file's content a URI. */
export const KNOWN_GLOBAL: GlobalLookups = {
  globalId: (table, localId) => `${table}:${localId}`,
  fileUri: (value) => {
    const text = String(value);
    if (text.startsWith("https://files.example/")) return `ds://file?id=${text.slice(22)}`;
    return text.startsWith("data:") ? `ds://file?id=${encodeURIComponent(text)}` : undefined;
  },
};

/** The way back of these. */
export const KNOWN_LOCAL: LocalLookups = {
  localId: (table, globalId) => (globalId.startsWith(`${table}:`) ? globalId.slice(table.length + 1) : undefined),
  file: (uri) => `https://files.example/${uri.slice(13)}`,
};
