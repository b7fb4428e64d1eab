import type { LaneDatabase, LaneTable } from "./lane.ts";

/** The key of the tests' table of lanes: the reader and the stream. */
export type StreamColumn = "reader" | "stream";

/** The tests' table of lanes, by what happens to finished lanes. */
export function streamsWhose(whenDone: LaneTable<StreamColumn>["whenDone"]): LaneTable<StreamColumn> {
  const key = [
    { name: "reader", type: "text" },
    { name: "stream", type: "text" },
  ] as const;
  return { name: "stream_lane", key, whenDone };
}

/** Creates the tests' table of lanes, and the versions of their streams, which outlive the lanes. */
export async function createLaneTable(database: LaneDatabase): Promise<void> {
  const lanes = `create table stream_lane (reader text, stream text, tail_version int not null, done_version int not null default 0,
      next_at timestamptz, lease uuid, attempts int not null default 0, primary key (reader, stream))`;
  const whatIsDue = "create index on stream_lane (next_at) where next_at is not null";
  const versions =
    "create table stream_version (reader text, stream text, version int not null, primary key (reader, stream))";
  for (const text of [lanes, whatIsDue, versions]) await database.query({ text, values: [] });
}

/**
 * Adds the next version of a stream for one reader, as a writer does, and returns it. In: the current time, in
 * milliseconds.
 */
export async function addVersion(
  database: LaneDatabase,
  { reader, stream, atMs }: { readonly reader: string; readonly stream: string; readonly atMs: number },
): Promise<number> {
  const { rows } = await database.query<{ version: number }>({
    text: `with next as (
        insert into stream_version (reader, stream, version) values ($1, $2, 1)
        on conflict (reader, stream) do update set version = stream_version.version + 1 returning version)
      insert into stream_lane (reader, stream, tail_version, done_version, next_at) select $1, $2, version, version - 1, $3 from next
      on conflict (reader, stream) do update
         set tail_version = excluded.tail_version, next_at = coalesce(stream_lane.next_at, excluded.next_at)
      returning tail_version as version`,
    values: [reader, stream, new Date(atMs).toISOString()],
  });
  return rows[0]?.version ?? 0;
}
