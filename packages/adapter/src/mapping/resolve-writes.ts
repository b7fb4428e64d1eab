import type { Entry } from "./conversion.ts";

/**
 * Lets each local path be written by one entry: by one that is a value of its own rather than by a calculation, else by the first.
 *
 * Out: the entries in their order; those that write no more say so as their loss. Refuses: never.
 */
export function resolveWrites(entries: readonly Entry[]): readonly Entry[] {
  const writers = new Map<string, Entry>();
  for (const pass of [isValue, isCalculation]) {
    for (const entry of entries.filter(pass)) {
      if (entry.writes !== undefined && !writers.has(entry.writes.text)) writers.set(entry.writes.text, entry);
    }
  }
  return entries.map((entry) => {
    const writer = entry.writes && writers.get(entry.writes.text);
    if (writer === undefined || writer === entry) return entry;
    return {
      ...entry,
      writes: undefined,
      loss: `${writer.localKey} writes ${entry.writes?.text}`,
      fromGlobal: () => {},
    };
  });
}

function isCalculation({ form, reads, writes }: Entry): boolean {
  return form === "calc" || (form === "date" && !reads.some((path) => path === writes));
}

function isValue(entry: Entry): boolean {
  return !isCalculation(entry);
}
