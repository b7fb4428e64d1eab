/**
 * Finds import cycles: every group of files that all reach one another.
 *
 * In: file -> files it imports, types included (a type cycle still joins two rooms). Out: each group, sorted.
 * Refuses: never.
 */
export function findCycles(imports: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const cycles: string[][] = [];

  // Tarjan's strongly connected components: one pass, whatever the number of cycles.
  function visit(file: string): void {
    order.set(file, order.size);
    lowest.set(file, order.size - 1);
    open.push(file);
    for (const target of imports.get(file) ?? []) {
      if (!imports.has(target)) continue;
      if (!order.has(target)) visit(target);
      if (open.includes(target)) lower(file, target);
    }
    if (lowest.get(file) === order.get(file)) close(file);
  }

  function lower(file: string, target: string): void {
    lowest.set(file, Math.min(lowest.get(file) ?? 0, lowest.get(target) ?? 0));
  }

  function close(file: string): void {
    const group = open.splice(open.indexOf(file));
    if (group.length > 1 || imports.get(file)?.includes(file)) cycles.push(group.sort());
  }

  for (const file of imports.keys()) if (!order.has(file)) visit(file);
  return cycles;
}
