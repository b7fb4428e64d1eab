import type { Queryable } from "@dataspace/service-kit/postgres/database";

/** The level of rows that this build understands; 2 is access policies. */
export const READER_LEVEL = 2;

/** Finds the highest level that any owner's rows need; 0 where none needs one. */
export async function findReaderLevel(database: Queryable): Promise<number> {
  const { rows } = await database.query<{ level: number }>({
    text: "select coalesce(max(min_reader), 0) as level from reader_level",
    values: [],
  });
  return rows[0]?.level ?? 0;
}
