import type { LaneDatabase, LaneTable } from "./lane.ts";

/** The key of the table of lanes that the tests use: who reads, and which stream. */
export type StreamColumn = "reader" | "stream";

/** A table of lanes as the tests have it. */
export const STREAMS: LaneTable<StreamColumn> = {
  name: "stream_lane",
  key: [
    { name: "reader", type: "text" },
    { name: "stream", type: "text" },
  ],
};

/** Makes the tests' table of lanes. */
export async function createLaneTable(database: LaneDatabase): Promise<void> {
  const table = `create table stream_lane (reader text, stream text, tail_version int not null, done_version int not null default 0,
      next_at timestamptz, lease uuid, attempts int not null default 0, primary key (reader, stream))`;
  const whatIsDue = "create index on stream_lane (next_at) where next_at is not null";
  for (const text of [table, whatIsDue]) await database.query({ text, values: [] });
}

/** Adds the next version of a stream for one reader as a writer does, and gives it. In: the time now, in milliseconds. */
export async function addVersion(
  database: LaneDatabase,
  { reader, stream, atMs }: { readonly reader: string; readonly stream: string; readonly atMs: number },
): Promise<number> {
  const { rows } = await database.query<{ tail_version: number }>({
    text: `insert into stream_lane (reader, stream, tail_version, next_at) values ($1, $2, 1, $3)
      on conflict (reader, stream) do update
         set tail_version = stream_lane.tail_version + 1, next_at = coalesce(stream_lane.next_at, excluded.next_at)
      returning tail_version`,
    values: [reader, stream, new Date(atMs).toISOString()],
  });
  return rows[0]?.tail_version ?? 0;
}
