import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import type { Queryable } from "@dataspace/service-kit/postgres/database";
import type { Faults } from "./faults.ts";
import type { HistoryRow } from "./judge-history.ts";

/** Reads a file of JSON lines, one by one. */
export async function* readLines<Line>(file: string): AsyncGenerator<Line> {
  for await (const line of createInterface({ input: createReadStream(file) })) yield JSON.parse(line) as Line;
}

interface VersionRow {
  readonly owner: string;
  readonly record_id: string;
  readonly version: number;
  readonly operation: HistoryRow["operation"];
  readonly payload: string | null;
}

const PAGE = 5_000;

/** Reads every version that the vault has, record by record. None is suppressed or a baseline here. */
export async function* readHistory(vault: Queryable): AsyncGenerator<HistoryRow> {
  for (let last: VersionRow | undefined; ; ) {
    const { rows } = await vault.query<VersionRow>({
      text: `select owner, record_id, version, operation, payload from change
              where (owner, record_id, version) > ($1 collate "C", $2 collate "C", $3) order by owner, record_id, version limit $4`,
      values: [last?.owner ?? "", last?.record_id ?? "", last?.version ?? 0, PAGE],
    });
    for (const { owner, record_id, version, operation, payload } of rows) {
      yield { stream: `${owner} ${record_id}`, version, operation, n: payload === null ? null : JSON.parse(payload).n };
    }
    if (rows.length < PAGE) return;
    last = rows.at(-1);
  }
}

/**
 * Checks the awareness service's tables at the end: each version is there once, has a place in the feed without a gap
 * and in the order of its record, and every delivery is delivered.
 */
export async function judgeStored(awareness: Queryable, versions: number, faults: Faults): Promise<void> {
  const { rows: feed } = await awareness.query<{ events: number; places: number; last: number; disordered: number }>({
    text: `select count(*) as events, count(position) as places, coalesce(max(position), 0) as last,
                  count(*) filter (where stream_version < newest_before) as disordered
             from (select position, stream_version,
                          max(stream_version) over (partition by dsid, record_id order by position
                            rows between unbounded preceding and 1 preceding) as newest_before
                     from event left join feed using (event_id)) e`,
    values: [],
  });
  const [at] = feed;
  if (at?.events !== versions) faults.add(`the awareness service has ${at?.events} events of ${versions} versions`);
  if (at?.places !== versions || at.last !== versions) faults.add(`the feed has gaps: ${JSON.stringify(at)}`);
  if (at?.disordered !== 0) faults.add(`the feed has ${at?.disordered} events after later ones of their record`);
  const { rows: others } = await awareness.query<{ state: string; n: number }>({
    text: "select state, count(*) as n from delivery where state <> 'delivered' group by state",
    values: [],
  });
  for (const { state, n } of others) faults.add(`${n} deliveries ended as ${state}`);
}
