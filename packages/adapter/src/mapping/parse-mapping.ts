import type { Entry } from "./conversion.ts";
import { LOCAL_DATE_TYPES, type LocalDateType } from "./dates.ts";
import type { UnknownReference } from "./forms/relation.ts";
import type { Mapping } from "./mapping.ts";
import { type MappingFault, type MappingFaultCode, TextFault } from "./mapping-fault.ts";
import { type OwnerPath, parseOwnerPath } from "./owner-path.ts";
import { type EntryOptions, parseEntry } from "./parse-entry.ts";
import { resolveWrites } from "./resolve-writes.ts";

const MAX_ENTRIES = 1_000;
const MAX_NAME_CHARS = 256;
const KNOWN = ["tableName", "schemaId", "ownerEnamePath", "localToUniversalMap", "readOnly", "ownedJunctionTables"];
const OPTIONS = ["localTypes", "unknownReference", "relationFormat", "coerce", "strict"];
const UNKNOWN_REFERENCES: readonly UnknownReference[] = ["deferred", "omit", "error"];

/** A key, with the column in its text where that is not the first. */
type Place = string | readonly [key: string, column: number];

/** Collects the faults of one mapping, each with its key. */
interface Reading {
  readonly file: string;
  readonly members: Readonly<Record<string, unknown>>;
  readonly fault: (code: MappingFaultCode, place: Place, message: string) => void;
}

/** What became of one document. */
export type ParsedMapping = { readonly mapping: Mapping } | { readonly faults: readonly MappingFault[] };

/**
 * Reads one mapping from the JSON value of its file and checks whatever can be checked by itself.
 *
 * Out: the mapping, or every fault with its key and column. Members that nobody knows are a warning, since files of the older family
 * have some. Refuses: never. Source: S3 "Mapping config"; decision A3.
 */
export function parseMapping(file: string, document: unknown): ParsedMapping {
  const faults: MappingFault[] = [];
  const fault: Reading["fault"] = (code, place, message) => {
    const [key, column] = typeof place === "string" ? [place, 1] : place;
    faults.push({ code, file, key, column, message });
  };
  if (!isObject(document)) {
    fault("WRONG_TYPE", "", "A mapping is a JSON object.");
    return { faults };
  }
  const reading = { file, members: document, fault };
  const tableName = readName(reading, "tableName");
  const schemaId = readName(reading, "schemaId");
  const ownerEnamePath = readOwnerPath(reading);
  const readOnly = readBoolean(reading, "readOnly");
  const strict = readBoolean(reading, "strict");
  const entries = resolveWrites(readEntries(reading, readOptions(reading)));
  checkTargets(reading, entries);
  const lost = entries.filter(({ loss }) => loss !== undefined);
  if (strict) {
    for (const { localKey, loss, column } of lost)
      fault("NOT_INVERTIBLE", [keyOf(localKey), column], `The way back fails: ${loss}.`);
  }
  if (faults.length > 0 || ownerEnamePath === undefined) return { faults };
  const unknown = Object.keys(document).filter((name) => ![...KNOWN, ...OPTIONS].includes(name));
  const warnings = [
    ...lost.map(({ localKey, loss }) => `${localKey}: the way back loses something, because ${loss}.`),
    ...unknown.map((name) => `${name}: no such member; it is not read.`),
  ];
  return { mapping: { file, tableName, schemaId, ownerEnamePath, readOnly, entries, warnings } };
}

/** The key of an entry as faults name it. Refuses: never. */
export function keyOf(localKey: string): string {
  return `localToUniversalMap.${localKey}`;
}

function readName({ members, fault }: Reading, name: string): string {
  const value = members[name];
  if (value === undefined) fault("MISSING_MEMBER", name, `${name} is missing.`);
  else if (typeof value !== "string" || value === "") fault("WRONG_TYPE", name, `${name} is a text that is not empty.`);
  else if (value.length > MAX_NAME_CHARS) fault("TOO_LARGE", name, `${name} has at most ${MAX_NAME_CHARS} characters.`);
  else return value;
  return "";
}

function readBoolean({ members, fault }: Reading, name: string): boolean {
  const value = members[name] ?? false;
  if (typeof value === "boolean") return value;
  fault("WRONG_TYPE", name, `${name} is true or false.`);
  return false;
}

function readOwnerPath(reading: Reading): OwnerPath | undefined {
  const text = readName(reading, "ownerEnamePath");
  if (text === "") return undefined;
  try {
    return parseOwnerPath(text);
  } catch (error) {
    reportText(reading, "ownerEnamePath", error);
    return undefined;
  }
}

function readOptions(reading: Reading): EntryOptions {
  return {
    coerce: readBoolean(reading, "coerce"),
    unknownReference: readChoice(reading, "unknownReference", UNKNOWN_REFERENCES),
    relationFormat: readChoice(reading, "relationFormat", ["path", "table(id)"] as const),
    localTypes: readLocalTypes(reading),
  };
}

function readChoice<Choice extends string>(
  { members, fault }: Reading,
  name: string,
  choices: readonly Choice[],
): Choice {
  const value = members[name] ?? choices[0];
  if (!choices.includes(value as Choice)) fault("WRONG_TYPE", name, `${name} is one of ${choices.join(", ")}.`);
  return value as Choice;
}

function readLocalTypes({ members, fault }: Reading): Readonly<Record<string, LocalDateType>> {
  const given = members["localTypes"] ?? {};
  if (!isObject(given)) {
    fault("WRONG_TYPE", "localTypes", "localTypes is an object of paths and types.");
    return {};
  }
  for (const [path, type] of Object.entries(given)) {
    if (LOCAL_DATE_TYPES.includes(type as LocalDateType)) continue;
    fault("WRONG_TYPE", `localTypes.${path}`, `The type of a time is one of ${LOCAL_DATE_TYPES.join(", ")}.`);
  }
  return given as Readonly<Record<string, LocalDateType>>;
}

function readEntries(reading: Reading, options: EntryOptions): readonly Entry[] {
  const map = reading.members["localToUniversalMap"];
  if (map === undefined) reading.fault("MISSING_MEMBER", "localToUniversalMap", "localToUniversalMap is missing.");
  else if (!isObject(map))
    reading.fault("WRONG_TYPE", "localToUniversalMap", "localToUniversalMap is an object of texts.");
  if (!isObject(map)) return [];
  const pairs = Object.entries(map);
  if (pairs.length > MAX_ENTRIES) {
    reading.fault("TOO_LARGE", "localToUniversalMap", `A mapping has at most ${MAX_ENTRIES} entries.`);
    return [];
  }
  return pairs.flatMap(([localKey, text]) => {
    if (typeof text !== "string") {
      reading.fault("WRONG_TYPE", keyOf(localKey), "An entry is a text.");
      return [];
    }
    try {
      return [parseEntry(localKey, text, options)];
    } catch (error) {
      reportText(reading, keyOf(localKey), error);
      return [];
    }
  });
}

function reportText({ fault }: Reading, key: string, error: unknown): void {
  if (!(error instanceof TextFault)) throw error;
  fault(error.code, [key, error.column], error.message);
}

function checkTargets({ fault }: Reading, entries: readonly Entry[]): void {
  const firstByTarget = new Map<string, string>();
  for (const { localKey, target, column } of entries) {
    const first = firstByTarget.get(target.text);
    if (first === undefined) firstByTarget.set(target.text, localKey);
    else
      fault("DUPLICATE_TARGET", [keyOf(localKey), column], `${first} goes to the global field ${target.text} already.`);
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
