import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { migrate } from "@dataspace/service-kit/postgres/migrations";
import { createSeededRandom } from "@dataspace/service-kit/testing/test-random";
import { vaultMigrations } from "@dataspace/vault/migrations";
import type { Database, Queryable } from "@dataspace/service-kit/postgres/database";
import { measureBusyPercent } from "../soak/busy.ts";
import { fillVault, LARGE_OWNER } from "./fill-vault.ts";
import { openLarge } from "./open-large.ts";

/** The size of the table, and where the database is. */
export interface UpgradeRun {
  readonly records: number;
  readonly url: string;
  readonly say: (line: string) => void;
}

/** What a migration of the table costs the requests beside it. */
export interface UpgradeReport {
  /** How busy the processors were before; above 20 % the waits are not judged. */
  readonly othersPercent: number;
  readonly migrationSeconds: number;
  readonly requests: number;
  readonly failures: number;
  /** The longest wait of a request for a lock, as the server tells it. */
  readonly longestLockWaitMs: number;
  /** The longest request, which also waits for the processor and the disk. */
  readonly longestRequestMs: number;
  readonly faults: readonly string[];
}

// What an upgrade may do: a column, its backfill, a constraint, an index. Each statement may run again.
const MIGRATION = `-- online: the size of each record, known and indexed
alter table meta_envelope add column if not exists payload_bytes integer;
create index concurrently if not exists meta_envelope_without_size on meta_envelope (owner, id) where payload_bytes is null;
-- batch
update meta_envelope set payload_bytes = octet_length(payload)
 where (owner, id) in (select owner, id from meta_envelope where payload_bytes is null order by owner, id limit 500);
alter table meta_envelope drop constraint if exists payload_bytes_counted, add constraint payload_bytes_counted check (payload_bytes >= 0) not valid;
alter table meta_envelope validate constraint payload_bytes_counted;
create index concurrently if not exists meta_envelope_by_size on meta_envelope (owner, payload_bytes);
drop index concurrently if exists meta_envelope_without_size;
`;
const CLIENTS = 4;
const REST_MS = 5;
const SAMPLE_MS = 20;
const MOST_WAIT_MS = 200;
const MOST_OTHERS_PERCENT = 20;
const LOAD = "large-load";
// Of the load alone: a concurrent build itself waits for old transactions.
const LOCK_WAITS = `select extract(epoch from max(clock_timestamp() - l.waitstart)) * 1000 as ms
  from pg_locks l join pg_stat_activity a using (pid) where not l.granted and a.application_name = '${LOAD}'`;

/** Fills the vault's table, then migrates it while four clients read and update its records. Refuses: the database's errors. */
export async function runUpgrade({ records, url, say }: UpgradeRun): Promise<UpgradeReport> {
  const othersPercent = await measureBusyPercent();
  await using opened = new AsyncDisposableStack();
  const database = opened.use(openLarge(url, "large-upgrade", 3));
  await migrate(database, vaultMigrations);
  await fillVault(database, records);
  say(`${records} records are there`);
  const directory = await mkdtemp(join(tmpdir(), "dataspace-large-"));
  opened.defer(() => rm(directory, { recursive: true }));
  await writeFile(join(directory, "001-sizes.sql"), MIGRATION);
  const load = startLoad(opened.use(openLarge(url, LOAD, CLIENTS)), records);
  const locks = watchLocks(opened.use(openLarge(url, "large-locks", 1)));
  const startedMs = performance.now();
  await migrate(database, { service: "large", directory: pathToFileURL(`${directory}/`) });
  const migrationSeconds = Math.round((performance.now() - startedMs) / 100) / 10;
  const [{ requests, failures, longestMs }, longestLockWaitMs] = await Promise.all([load.stop(), locks.stop()]);
  const { rows } = await database.query<{ n: number }>({
    text: "select count(*) as n from meta_envelope where payload_bytes is null",
    values: [],
  });
  const faults: string[] = [];
  if (rows[0]?.n !== 0) faults.push(`${rows[0]?.n} rows were not filled`);
  if (failures > 0) faults.push(`${failures} requests failed`);
  if (requests === 0) faults.push("no request ran beside the migration");
  const waits = { longestLockWaitMs: Math.round(longestLockWaitMs), longestRequestMs: Math.round(longestMs) };
  if (othersPercent <= MOST_OTHERS_PERCENT) {
    for (const [name, ms] of Object.entries(waits)) {
      if (ms > MOST_WAIT_MS) faults.push(`${name} is ${ms}, above ${MOST_WAIT_MS}`);
    }
  }
  return { othersPercent, migrationSeconds, requests, failures, ...waits, faults };
}

function startLoad(database: Database, records: number) {
  const random = createSeededRandom(records);
  const counted = { requests: 0, failures: 0, longestMs: 0 };
  let isOver = false;
  const request = async (): Promise<void> => {
    const values = [LARGE_OWNER, `r-${String(1 + Math.floor(random() * records)).padStart(9, "0")}`];
    const text =
      random() < 0.5
        ? "select payload from meta_envelope where owner = $1 and id = $2"
        : "update meta_envelope set version = version + 1 where owner = $1 and id = $2";
    const startedMs = performance.now();
    await database.query({ text, values }).catch(() => (counted.failures += 1));
    counted.requests += 1;
    counted.longestMs = Math.max(counted.longestMs, performance.now() - startedMs);
  };
  const clients = Array.from({ length: CLIENTS }, async () => {
    for (; !isOver; await wait(REST_MS)) await request();
  });
  return {
    stop: async () => {
      isOver = true;
      await Promise.all(clients);
      return counted;
    },
  };
}

function watchLocks(database: Queryable) {
  let longestMs = 0;
  let isOver = false;
  const watching = (async () => {
    for (; !isOver; await wait(SAMPLE_MS)) {
      const { rows } = await database.query<{ ms: string | null }>({ text: LOCK_WAITS, values: [] });
      longestMs = Math.max(longestMs, Number(rows[0]?.ms ?? 0));
    }
  })();
  return {
    stop: async () => {
      isOver = true;
      await watching;
      return longestMs;
    },
  };
}
