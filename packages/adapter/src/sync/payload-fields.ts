import { isDeepStrictEqual } from "node:util";
import { type Entry, put, readField } from "../mapping/conversion.ts";
import type { Mapping } from "../mapping/mapping.ts";
import { RowFault } from "../mapping/row-fault.ts";

type Payload = Readonly<Record<string, unknown>>;

/** Gives a payload as JSON holds it. Refuses: RowFault NOT_JSON for what JSON cannot hold. */
export function toJsonPayload(payload: Payload): Payload {
  try {
    return JSON.parse(JSON.stringify(payload));
  } catch {
    throw new RowFault("NOT_JSON", "A field holds what JSON cannot hold: a bigint, or an object that contains itself.");
  }
}

/** The entries whose global field has another value in `payload` than in `known`; what is absent in `payload` has not changed. */
export function changedEntries(mapping: Mapping, payload: Payload, known: Payload): readonly Entry[] {
  return mapping.entries.filter(({ target }) => {
    const value = readField(target, payload);
    return value !== undefined && !isDeepStrictEqual(value, readField(target, known));
  });
}

/** The fields of some entries alone, out of a payload. Refuses: never, for a payload that its mapping made. */
export function pickFields(entries: readonly Entry[], payload: Payload): Payload {
  const result: Record<string, unknown> = {};
  for (const { target } of entries)
    put({ result, lookups: undefined, issues: [], pending: [] }, target, readField(target, payload));
  return result;
}

/** What of a payload a mapping reads. Refuses: never. */
export function pickMapped(mapping: Mapping, payload: Payload): Payload {
  return pickFields(mapping.entries, payload);
}

/** Puts the fields of some entries over what was known. Fields that are absent in `from` are not known any more. */
export function overlay(entries: readonly Entry[], known: Payload, from: Payload): Payload {
  const result = structuredClone(known) as Record<string, unknown>;
  for (const { target } of entries) {
    const value = readField(target, from);
    const [root] = target.segments;
    if (value !== undefined) put({ result, lookups: undefined, issues: [], pending: [] }, target, value);
    else if (root !== undefined && target.segments.length === 1) delete result[root.name];
  }
  return result;
}

/** The names at the top of a payload that hold a nested field of some of these entries. */
export function nestedRoots(entries: readonly Entry[]): readonly string[] {
  return entries.filter(({ target }) => target.segments.length > 1).map(({ target }) => target.segments[0]?.name ?? "");
}
