import { isDeepStrictEqual } from "node:util";

type Members = Readonly<Record<string, unknown>>;

/**
 * Finds for each element of a list the first element of another list that has the same members and stands for no earlier one.
 *
 * In: only objects match; `candidates` may have further members. Out: the places of the candidates, in the order of `elements`. It takes
 * time in proportion to both lists, for each set of member names. Refuses: never. Source: S3 inbound rule 4.
 */
export function matchElements(
  candidates: readonly unknown[],
  elements: readonly unknown[],
): readonly (number | undefined)[] {
  const taken = new Set<number>();
  const indexes = new Map<string, CandidateIndex>();
  return elements.map((element) => {
    if (!isMembers(element)) return undefined;
    const names = Object.keys(element).sort();
    const shape = JSON.stringify(names);
    const index = indexes.get(shape) ?? indexCandidates(candidates, names);
    indexes.set(shape, index);
    const place = findFirst(index.get(keyOf(element, names)) ?? [], { candidates, taken, element });
    if (place !== undefined) taken.add(place);
    return place;
  });
}

/** Whether two values of a member are the same. An id is a number in some rows, and a text in a payload. */
export function isSameValue(there: unknown, from: unknown): boolean {
  return isDeepStrictEqual(there, from) || (typeof there === "number" && String(there) === from);
}

/** Whether a value holds members: not a list, a time or bytes. */
export function isMembers(value: unknown): value is Members {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return !(value instanceof Date) && !(value instanceof Uint8Array) && !(value instanceof Blob);
}

/** Candidates whose members have the same types and texts, in their order; all or none of them match an element. */
interface Queue {
  readonly places: number[];
  next: number;
}

type CandidateIndex = ReadonlyMap<string, readonly Queue[]>;

function indexCandidates(candidates: readonly unknown[], names: readonly string[]): CandidateIndex {
  const queues = new Map<string, Map<string, Queue>>();
  for (const [place, candidate] of candidates.entries()) {
    if (!isMembers(candidate)) continue;
    const key = keyOf(candidate, names);
    const types = names.map((name) => typeof candidate[name]).join(" ");
    const ofKey = queues.get(key) ?? new Map<string, Queue>();
    const queue = ofKey.get(types) ?? { places: [], next: 0 };
    queue.places.push(place);
    queues.set(key, ofKey.set(types, queue));
  }
  return new Map([...queues].map(([key, ofKey]) => [key, [...ofKey.values()]]));
}

interface Search {
  readonly candidates: readonly unknown[];
  readonly taken: ReadonlySet<number>;
  readonly element: Members;
}

function findFirst(queues: readonly Queue[], { candidates, taken, element }: Search): number | undefined {
  const heads = queues.flatMap((queue) => {
    while (taken.has(queue.places[queue.next] ?? -1)) queue.next += 1;
    const place = queue.places[queue.next];
    return place !== undefined && hasMembers(candidates[place], element) ? [place] : [];
  });
  return heads.length === 0 ? undefined : Math.min(...heads);
}

function hasMembers(candidate: unknown, element: Members): boolean {
  return isMembers(candidate) && Object.keys(element).every((name) => isSameValue(candidate[name], element[name]));
}

function keyOf(holder: Members, names: readonly string[]): string {
  return JSON.stringify(names.map((name) => textOf(holder[name])));
}

// Equal values have equal texts, whatever the order of their members. Values of other classes share one text.
function textOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(textOf);
  if (value instanceof Date) return ["date", value.getTime()];
  if (typeof value !== "object" || value === null) return String(value);
  if (!isPlain(value)) return ["other"];
  return Object.entries(value)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, member]) => [name, textOf(member)]);
}

function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
