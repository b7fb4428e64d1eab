import { type Conversion, type Entry, type GlobalLookups, type LocalLookups, put, readField } from "../conversion.ts";
import { type Path, readPath } from "../path.ts";
import { RowFault } from "../row-fault.ts";

/** What happens to a relation whose target has no pair of ids yet. */
export type UnknownReference = "deferred" | "omit" | "error";

/** A relation as it was written; `format` is how it comes back. */
export interface RelationText {
  readonly localKey: string;
  readonly table: string;
  readonly local: Path;
  readonly target: Path;
  readonly column: number;
  readonly unknown: UnknownReference;
  readonly format: "path" | "table(id)";
}

/** `"k": "users(owner.id),ownerId"`: the global id of another row's record. Source: S3 "Mapping config"; decision A3. */
export function createRelationEntry(relation: RelationText, keyPath: Path): Entry {
  const { localKey, table, local, target, column, format } = relation;
  const writes = format === "path" ? local : keyPath;
  return {
    ...{ localKey, form: "relation", table, target, reads: [local], writes, column },
    loss: format === "path" ? undefined : "it comes back as the text table(id)",
    toGlobal: (row, conversion) => {
      const value = readPath(local, row);
      if (value === undefined) return;
      if (value === null) return put(conversion, target, null);
      put(conversion, target, findGlobalId(relation, conversion, value));
    },
    fromGlobal: (payload, conversion) => {
      const value = readField(target, payload);
      if (value === undefined) return;
      if (value === null) return put(conversion, writes, null);
      put(conversion, writes, findLocalId(relation, conversion, value));
    },
  };
}

/** Gives the global id of the row that a local id names; undefined where there is none yet. Refuses: RowFault UNKNOWN_REFERENCE. */
export function findGlobalId(
  relation: RelationText,
  conversion: Conversion<GlobalLookups>,
  value: unknown,
): string | undefined {
  const localId = toIdText(value);
  if (localId === undefined) return noId(relation, conversion, value);
  const { table, target } = relation;
  return (
    conversion.lookups.globalId(table, localId) ??
    unknownId(relation, conversion, { field: target.text, table, id: localId })
  );
}

/** Gives what the platform holds for a global id; undefined where no row is known yet. Refuses: RowFault UNKNOWN_REFERENCE. */
export function findLocalId(
  relation: RelationText,
  conversion: Conversion<LocalLookups>,
  value: unknown,
): string | undefined {
  const globalId = toIdText(value);
  if (globalId === undefined) return noId(relation, conversion, value);
  const { table, target, format } = relation;
  const localId = conversion.lookups.localId(table, globalId);
  if (localId === undefined) return unknownId(relation, conversion, { field: target.text, table, id: globalId });
  return format === "path" ? localId : `${table}(${localId})`;
}

function toIdText(value: unknown): string | undefined {
  if (typeof value === "number" || typeof value === "bigint") return String(value);
  return typeof value === "string" && value !== "" ? value : undefined;
}

function noId({ localKey }: RelationText, { issues }: Conversion<unknown>, value: unknown): undefined {
  issues.push({ key: localKey, code: value === "" || value === null || value === undefined ? "NO_ID" : "NOT_AN_ID" });
}

function unknownId(
  { unknown, localKey }: RelationText,
  { issues, pending }: Conversion<unknown>,
  reference: { readonly field: string; readonly table: string; readonly id: string },
): undefined {
  if (unknown === "error") {
    throw new RowFault(
      "UNKNOWN_REFERENCE",
      `${localKey}: a row of ${reference.table} that it names has no record yet.`,
    );
  }
  if (unknown === "deferred") pending.push(reference);
  else issues.push({ key: localKey, code: "UNKNOWN_REFERENCE" });
}
