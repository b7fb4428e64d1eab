import { RowFault } from "./row-fault.ts";

/** One step of a path: a name, then all elements of the array there (`each`), one of them (a number), or neither. */
export interface Segment {
  readonly name: string;
  readonly element: "each" | number | undefined;
}

/** A parsed path. `text` is as it was written. */
export interface Path {
  readonly text: string;
  readonly segments: readonly Segment[];
}

/** A JSON object, or a row. */
export type Entity = Readonly<Record<string, unknown>>;
type Writable = Record<string, unknown>;

/** How many `[]` a path has. Refuses: never. */
export function countEach({ segments }: Path): number {
  return segments.filter(({ element }) => element === "each").length;
}

/**
 * Reads what is at a path. Own properties only.
 *
 * Out: undefined where nothing is there; null where the path leads through null; with `[]` an array of what its elements have, the
 * elements of nested arrays in one. Refuses: never.
 */
export function readPath({ segments }: Path, entity: unknown): unknown {
  const first = segments[0];
  // Most paths are one name.
  if (segments.length === 1 && first?.element === undefined) return ownValue(entity, first?.name ?? "");
  return readFrom(segments, 0, entity);
}

function readFrom(segments: readonly Segment[], from: number, entity: unknown): unknown {
  let current = entity;
  for (let at = from; at < segments.length; at += 1) {
    const { name, element } = segments[at] as Segment;
    current = ownValue(current, name);
    if (element === undefined) continue;
    if (current === null || current === undefined) return current;
    if (!Array.isArray(current)) return undefined;
    if (element === "each") return readEach(segments, at + 1, current);
    current = current[element];
  }
  return current;
}

function readEach(segments: readonly Segment[], from: number, elements: readonly unknown[]): readonly unknown[] {
  if (from === segments.length) return elements;
  const isNested = segments.some(({ element }, at) => at >= from && element === "each");
  const values = elements.map((element) => readFrom(segments, from, element));
  return isNested ? values.flat() : values;
}

function ownValue(entity: unknown, name: string): unknown {
  if (entity === null) return null;
  if (typeof entity !== "object") return undefined;
  return Object.hasOwn(entity, name) ? (entity as Entity)[name] : undefined;
}

/**
 * Writes a value at a path, making the objects and arrays on the way.
 *
 * In: with one `[]`, `value` is an array: its elements go into the elements of the array there, by their place.
 * Refuses: RowFault SCALAR_PARENT where something on the way is there already and cannot hold the value.
 */
export function writePath({ segments, text }: Path, target: Writable, value: unknown): void {
  let holder = target;
  for (let at = 0; at < segments.length; at += 1) {
    const { name, element } = segments[at] as Segment;
    const isLast = at === segments.length - 1;
    if (element === "each") {
      writeEach({ segments: segments.slice(at + 1), text }, listAt(holder, name, text), value);
      return;
    }
    const place: string | number = element ?? name;
    const into = element === undefined ? holder : (listAt(holder, name, text) as unknown as Writable);
    if (typeof place === "number") fillWithNull(into as unknown as unknown[], place);
    if (isLast) {
      into[place] = value;
      return;
    }
    holder = objectAt(into, place, text);
  }
}

function writeEach(rest: Path, list: unknown[], value: unknown): void {
  const elements = value as readonly unknown[];
  for (let index = 0; index < elements.length; index += 1) {
    const element = elements[index];
    if (rest.segments.length === 0) {
      list[index] = element;
    } else if (element === null && (list[index] === undefined || list[index] === null)) {
      list[index] = null;
    } else {
      if (list[index] === null) list[index] = undefined;
      writePath(rest, objectAt(list as unknown as Writable, index, rest.text), element);
    }
  }
}

function fillWithNull(list: unknown[], upTo: number): void {
  while (list.length < upTo) list.push(null);
}

function objectAt(holder: Writable, place: string | number, text: string): Writable {
  const there = Object.hasOwn(holder, place) ? holder[place] : undefined;
  if (there === undefined || (typeof place === "number" && there === null)) return fresh(holder, place, {});
  if (typeof there === "object" && there !== null && !Array.isArray(there)) return there as Writable;
  throw new RowFault(
    "SCALAR_PARENT",
    `${text}: ${place} holds a value that is not an object, so nothing goes into it.`,
  );
}

function listAt(holder: Writable, name: string, text: string): unknown[] {
  const there = Object.hasOwn(holder, name) ? holder[name] : undefined;
  if (there === undefined) return fresh(holder, name, []);
  if (Array.isArray(there)) return there;
  throw new RowFault("SCALAR_PARENT", `${text}: ${name} holds a value that is not an array, so nothing goes into it.`);
}

function fresh<Value>(holder: Writable, place: string | number, value: Value): Value {
  holder[place] = value;
  return value;
}
