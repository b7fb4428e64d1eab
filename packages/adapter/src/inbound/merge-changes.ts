import type { Entry } from "../mapping/conversion.ts";
import { listPathOf } from "../mapping/conversion.ts";
import { countEach, type Path, readPath, type Segment } from "../mapping/path.ts";
import type { Row } from "../sync/table-access.ts";
import { isMembers, isSameValue, matchElements } from "./match-elements.ts";

type Members = Record<string, unknown>;

/**
 * Makes of changed fields the top-level members that a table is to write. What a member holds beside the mapped fields stays, such as
 * the unmapped members of a JSON column.
 *
 * A relation that ends in `id` names another row, so the members of the former row do not stay beside it. Elements of a list keep
 * their unmapped members when an element with the same mapped members was there, or when the length is the same.
 * In: `row`, the whole payload converted; `before`, the row as it is. Refuses: never. Source: S3 inbound rule 4.
 */
export function mergeChanges(changed: readonly Entry[], row: Row, before: Row): Row {
  const result: Members = {};
  for (const { writes, form } of changed) {
    const name = writes?.segments[0]?.name;
    if (writes === undefined || name === undefined) continue;
    const value = readPath(writes, row);
    if (value === undefined && !isListEmptied(writes, row)) continue;
    if (!Object.hasOwn(result, name)) result[name] = copy(Object.hasOwn(before, name) ? before[name] : undefined);
    const isOtherRow = form.startsWith("relation") && writes.segments.at(-1)?.name === "id";
    result[name] = write(result[name], { rest: writes.segments, isOtherRow }, row[name]);
  }
  return result;
}

interface Place {
  /** The segments from the one whose value is written. */
  readonly rest: readonly Segment[];
  readonly isOtherRow: boolean;
}

/** Puts what `from` has at the place of the first segment over `there`. */
function write(there: unknown, { rest, isOtherRow }: Place, from: unknown): unknown {
  const [segment, next, ...others] = rest;
  if (segment?.element === "each") return writeList(there, { rest: rest.slice(1), isOtherRow }, from);
  if (typeof segment?.element === "number") return writeElement(there, { rest, isOtherRow }, from);
  if (next === undefined) return from;
  if (isOtherRow && others.length === 0 && !isSame(there, next.name, from)) return from;
  return writeMember(there, { rest: [next, ...others], isOtherRow }, from);
}

function writeMember(there: unknown, place: Place, from: unknown): unknown {
  if (!isMembers(from)) return from;
  const name = place.rest[0]?.name ?? "";
  const holder: Members = isMembers(there) ? (there as Members) : {};
  if (!Object.hasOwn(from, name)) return holder;
  holder[name] = write(Object.hasOwn(holder, name) ? holder[name] : undefined, place, from[name]);
  return holder;
}

function writeElement(there: unknown, { rest, isOtherRow }: Place, from: unknown): unknown {
  const [segment, ...others] = rest;
  const at = segment?.element as number;
  if (!Array.isArray(from) || at >= from.length) return from;
  const list: unknown[] = Array.isArray(there) ? there : [];
  while (list.length < at) list.push(null);
  list[at] = others.length === 0 ? from[at] : writeMember(list[at], { rest: others, isOtherRow }, from[at]);
  return list;
}

/** Gives each element of `from` the unmapped members of the element that it stands for. */
function writeList(there: unknown, { rest, isOtherRow }: Place, from: unknown): unknown {
  if (!Array.isArray(from) || rest.length === 0 || !Array.isArray(there)) return from;
  const places = matchElements(there, from);
  const taken = new Set(places);
  return from.map((element, at) => {
    const isFree = there.length === from.length && !isOtherRow && !taken.has(at);
    const former = there[places[at] ?? (isFree ? at : -1)];
    return isMembers(element) && isMembers(former) ? { ...former, ...element } : element;
  });
}

function isSame(there: unknown, name: string, from: unknown): boolean {
  return isMembers(there) && isMembers(from) && isSameValue(there[name], from[name]);
}

function isListEmptied(path: Path, row: Row): boolean {
  return countEach(path) > 0 && readPath(listPathOf(path), row) !== undefined;
}

/** Copies objects and lists of JSON; a Date, bytes and an entity's own classes stay as they are. */
function copy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copy);
  if (!isMembers(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, copy(member)]));
}
