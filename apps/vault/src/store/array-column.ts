import type { EName } from "@dataspace/protocol/ename";

/** A row whose array is null where it is the owner alone, as almost every one is. */
export type WithArrayColumn<Row> = Omit<Row, "acl"> & { readonly acl: readonly string[] | null };

/**
 * Fills in the array that stands for the owner alone. The database does not do it, because parsing an array costs more
 * than the rest of a row.
 */
export function fillInArrays<Row extends { readonly acl: readonly string[] }>(
  rows: readonly WithArrayColumn<Row>[],
  owner: EName,
): readonly Row[] {
  const ownerAlone = [owner];
  const filled = rows as unknown as { acl: readonly string[] | null }[];
  for (const row of filled) row.acl ??= ownerAlone;
  return filled as unknown as readonly Row[];
}
