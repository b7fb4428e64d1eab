import type { Entity, Path } from "./path.ts";
import { readPath, writePath } from "./path.ts";

/** What was left out of a conversion, and why; the conversion itself went on. */
export type IssueCode =
  | "NOT_A_LIST"
  | "NOT_AN_ID"
  | "NO_ID"
  | "UNKNOWN_REFERENCE"
  | "INVALID_DATE"
  | "LOOKS_LIKE_SECONDS"
  | "NOT_A_NUMBER"
  | "DIVISION_BY_ZERO"
  | "NOT_A_FILE";

/** `key` is the local key of the entry. */
export interface Issue {
  readonly key: string;
  readonly code: IssueCode;
}

/** A relation whose target is not known yet: `field` is the global field, `id` the local id (outbound) or the global id (inbound). */
export interface PendingReference {
  readonly field: string;
  readonly table: string;
  readonly id: string;
}

/** What a conversion to a global payload may ask. The answers are had beforehand; nothing here waits. */
export interface GlobalLookups {
  readonly globalId: (table: string, localId: string) => string | undefined;
  /** The `ds://file` URI of a data: URI, of bytes, or of a public URL that was made from one. */
  readonly fileUri: (value: unknown) => string | undefined;
}

/** What a conversion to a local row may ask. */
export interface LocalLookups {
  readonly localId: (table: string, globalId: string) => string | undefined;
  /** What the platform holds in place of a `ds://file` URI. */
  readonly file: (uri: string) => unknown;
}

/** A conversion under way: where it puts things, and what it asks. */
export interface Conversion<Lookups> {
  readonly result: Record<string, unknown>;
  readonly lookups: Lookups;
  readonly issues: Issue[];
  readonly pending: PendingReference[];
}

/** One entry of `localToUniversalMap`, ready to convert. */
export interface Entry {
  readonly localKey: string;
  readonly form: "field" | "relation" | "relations" | "date" | "calc" | "file";
  /** The table of a relation. */
  readonly table?: string;
  /** The global field. */
  readonly target: Path;
  /** The paths that are read from the row. */
  readonly reads: readonly Path[];
  /** The local path that an inbound change writes; undefined: none. */
  readonly writes: Path | undefined;
  /** Why the way back does not give the same again; undefined: it does. */
  readonly loss: string | undefined;
  /** The column of the form in its text, from 1. */
  readonly column: number;
  readonly toGlobal: (row: Entity, conversion: Conversion<GlobalLookups>) => void;
  readonly fromGlobal: (payload: Entity, conversion: Conversion<LocalLookups>) => void;
}

/** Reads a global field: nested, or under its dotted name as it is. Refuses: never. */
export function readField(target: Path, payload: Entity): unknown {
  const value = readPath(target, payload);
  if (value !== undefined || target.segments.length === 1) return value;
  return Object.hasOwn(payload, target.text) ? payload[target.text] : undefined;
}

/** Writes a value where it is one. Refuses: RowFault SCALAR_PARENT. */
export function put({ result }: Conversion<unknown>, path: Path, value: unknown): void {
  if (value === undefined) return;
  const only = path.segments[0];
  if (only !== undefined && path.segments.length === 1 && only.element === undefined) result[only.name] = value;
  else writePath(path, result, value);
}

/** The path of the array that the first `[]` of a path goes through. Refuses: never. */
export function listPathOf({ text, segments }: Path): Path {
  const at = segments.findIndex(({ element }) => element === "each");
  const list = segments
    .slice(0, at + 1)
    .map((segment, index) => (index === at ? { ...segment, element: undefined } : segment));
  return { text, segments: list };
}

/** Writes a list through a path with one `[]`; null and the empty list become the array itself. Refuses: RowFault SCALAR_PARENT. */
export function putList(conversion: Conversion<unknown>, path: Path, list: readonly unknown[] | null): void {
  if (list === null || list.length === 0) {
    const array = listPathOf(path);
    if (list === null || readPath(array, conversion.result) === undefined) put(conversion, array, list);
    return;
  }
  writePath(path, conversion.result, list);
}
