import type { Entry } from "./conversion.ts";
import type { LocalDateType } from "./dates.ts";
import { createCalcEntry } from "./forms/calc.ts";
import { createCalculatedDateEntry, createDateEntry } from "./forms/date.ts";
import { createFieldEntry } from "./forms/field.ts";
import { createFileEntry } from "./forms/file.ts";
import { createRelationEntry, type UnknownReference } from "./forms/relation.ts";
import { createRelationsEntry } from "./forms/relations.ts";
import { TextFault } from "./mapping-fault.ts";
import { parseArithmetic } from "./parse-arithmetic.ts";
import { parsePath, scanPath } from "./parse-path.ts";
import { countEach, type Path } from "./path.ts";
import { createTextScanner, type TextScanner } from "./text-scanner.ts";

/** What a mapping says of all its entries. */
export interface EntryOptions {
  readonly coerce: boolean;
  readonly unknownReference: UnknownReference;
  readonly relationFormat: "path" | "table(id)";
  /** By the path of a `__date` entry; iso where it is absent. */
  readonly localTypes: Readonly<Record<string, LocalDateType>>;
}

interface EntryText {
  readonly localKey: string;
  readonly keyPath: Path;
  readonly options: EntryOptions;
}

/**
 * Reads one entry of `localToUniversalMap`.
 *
 * Refuses: TextFault with the column in `text`. Source: S3 "Mapping config"; decision A3.
 */
export function parseEntry(localKey: string, text: string, options: EntryOptions): Entry {
  const entry = { localKey, keyPath: parsePath(localKey), options };
  const scanner = createTextScanner(text);
  scanner.skipSpace();
  const column = scanner.column();
  const name = scanner
    .rest()
    .slice(0, Math.max(0, scanner.rest().indexOf("(")))
    .trim();
  if (name === "") return parseField(entry, scanner);
  if (!name.startsWith("__")) return parseRelation(entry, scanner, column);
  const read = Object.hasOwn(DIRECTIVES, name) ? DIRECTIVES[name] : undefined;
  if (read === undefined) {
    const known = Object.keys(DIRECTIVES).join(", ");
    throw new TextFault(
      "UNKNOWN_FORM",
      column,
      `${name} is not a form of mappings: there are ${known} and table(path).`,
    );
  }
  scanner.require(`${name}(`);
  const inner = scanner.takeToClose();
  return read({ entry, scanner, inner, column });
}

interface Directive {
  readonly entry: EntryText;
  readonly scanner: TextScanner;
  readonly inner: { readonly text: string; readonly column: number };
  readonly column: number;
}

const DIRECTIVES: Readonly<Record<string, (directive: Directive) => Entry>> = {
  __date: parseDate,
  __calc: parseCalc,
  __file: parseFile,
};
const CALCULATION = /^\s*(?:__)?calc\s*\(/;

function parseField({ localKey, keyPath }: EntryText, scanner: TextScanner): Entry {
  const target = scanTarget(scanner);
  return createFieldEntry({ localKey, local: keyPath, target });
}

function parseRelation(entry: EntryText, scanner: TextScanner, column: number): Entry {
  const { localKey, keyPath, options } = entry;
  const table = scanner.takeWhile((character) => character !== "(").trim();
  const isName = /^[A-Za-z_][A-Za-z0-9_.-]*$/.test(table);
  if (!isName) throw new TextFault("UNKNOWN_FORM", column, "Expected the name of a table before the parenthesis.");
  scanner.require("(");
  const local = parseInnerPath(scanner.takeToClose());
  const isList = scanner.accept("[]") || countEach(local) > 0;
  const target = scanAlias(scanner) ?? firstNameOf(local);
  const relation = {
    ...{ localKey, table, local, target, column },
    unknown: options.unknownReference,
    format: options.relationFormat,
  };
  return isList ? createRelationsEntry(relation, keyPath) : createRelationEntry(relation, keyPath);
}

function parseDate({ entry, scanner, inner, column }: Directive): Entry {
  const { localKey, keyPath, options } = entry;
  const opening = CALCULATION.exec(inner.text)?.[0];
  if (opening === undefined) {
    const local = parseInnerPath(inner);
    if (countEach(local) > 0) throw new TextFault("UNKNOWN_FORM", inner.column, "__date takes one time, not a list.");
    const target = scanAlias(scanner) ?? asTarget(local, inner.column);
    const { localTypes } = options;
    const type = Object.hasOwn(localTypes, local.text) ? localTypes[local.text] : undefined;
    return createDateEntry({ localKey, target, column }, local, type ?? "iso");
  }
  const calculation = inner.text.trimEnd();
  if (!calculation.endsWith(")")) {
    throw new TextFault(
      "UNKNOWN_FORM",
      inner.column + calculation.length,
      "Expected ) here, the end of the calculation.",
    );
  }
  const text = calculation.slice(opening.length, -1);
  const arithmetic = parseArithmetic({ text, column: inner.column + opening.length });
  const target = scanAlias(scanner) ?? asTarget(keyPath, column);
  return createCalculatedDateEntry({ localKey, target, column }, arithmetic, options.coerce);
}

function parseCalc({ entry, scanner, inner, column }: Directive): Entry {
  const { localKey, keyPath, options } = entry;
  const arithmetic = parseArithmetic(inner);
  const target = scanAlias(scanner) ?? asTarget(keyPath, column);
  return createCalcEntry({ localKey, target, column }, arithmetic, { keyPath, coerce: options.coerce });
}

function parseFile({ entry, scanner, inner, column }: Directive): Entry {
  const local = parseInnerPath(inner);
  const target = scanAlias(scanner) ?? (countEach(local) > 0 ? firstNameOf(local) : local);
  return createFileEntry({ localKey: entry.localKey, local, target, column });
}

function parseInnerPath({ text, column }: { readonly text: string; readonly column: number }): Path {
  const scanner = createTextScanner(text);
  try {
    const path = scanPath(scanner);
    if (scanner.isAtEnd()) return path;
    throw new TextFault("INVALID_PATH", scanner.column(), "Expected one path here.");
  } catch (error) {
    if (error instanceof TextFault) throw new TextFault(error.code, column + error.column - 1, error.message);
    throw error;
  }
}

function scanAlias(scanner: TextScanner): Path | undefined {
  scanner.skipSpace();
  if (scanner.isAtEnd()) return undefined;
  scanner.require(",");
  return scanTarget(scanner);
}

function scanTarget(scanner: TextScanner): Path {
  const column = scanner.column();
  const target = scanPath(scanner);
  if (!scanner.isAtEnd())
    throw new TextFault("UNKNOWN_FORM", scanner.column(), "The name of the global field ends here.");
  return asTarget(target, column);
}

function asTarget(target: Path, column: number): Path {
  if (target.segments.every(({ element }) => element === undefined)) return target;
  throw new TextFault("INVALID_PATH", column, "A global field is named without [].");
}

function firstNameOf({ segments }: Path): Path {
  const name = segments[0]?.name ?? "";
  return { text: name.replaceAll(".", "\\."), segments: [{ name, element: undefined }] };
}
