import type { Queryable } from "@dataspace/service-kit/postgres/database";

/** The two databases of a run. */
export interface Databases {
  readonly vault: Queryable;
  readonly awareness: Queryable;
}

/** What is unfinished: events and lanes of the outbox, lanes of deliveries, events without a place in the feed. */
export interface Waiting {
  readonly events: number;
  readonly outboxLanes: number;
  readonly deliveryLanes: number;
  readonly unnumbered: number;
}

/** Counts what waits. Refuses: the database's errors. */
export async function readWaiting({ vault, awareness }: Databases): Promise<Waiting> {
  const [events, outboxLanes, deliveryLanes, unnumbered] = await Promise.all([
    count(vault, "select from change_event"),
    count(vault, "select from outbox_lane where next_at is not null"),
    count(awareness, "select from lane where next_at is not null"),
    count(awareness, "select from unnumbered"),
  ]);
  return { events, outboxLanes, deliveryLanes, unnumbered };
}

/** Counts the lanes that have something to do and will never be due; there must never be any. Source: decision E1. */
export async function countStalled({ vault, awareness }: Databases): Promise<number> {
  const stalled = "where tail_version > done_version and next_at is null";
  const counts = [count(vault, `select from outbox_lane ${stalled}`), count(awareness, `select from lane ${stalled}`)];
  return (await Promise.all(counts)).reduce((sum, one) => sum + one, 0);
}

async function count(on: Queryable, query: string): Promise<number> {
  const { rows } = await on.query<{ readonly n: number }>({
    text: `select count(*) as n from (${query}) q`,
    values: [],
  });
  return rows[0]?.n ?? 0;
}
