import { setTimeout as wait } from "node:timers/promises";
import type { EName } from "@dataspace/protocol/ename";
import type { Database } from "@dataspace/service-kit/postgres/database";
import { INGEST_SECRET } from "./support/bench-awareness.ts";
import { one } from "./support/bench-server.ts";
import { type BenchVault, createOwners, makeTables, startVault } from "./support/bench-vault.ts";
import { startFarEnd } from "./support/far-end.ts";
import { createRequest, pageRequest, readRequest, toHttp } from "./support/graphql-requests.ts";
import type { BenchContext, BenchReport } from "./support/measurement.ts";
import { residentBytes } from "./support/process-cpu.ts";
import { sampleInput } from "./support/sample-records.ts";

const OWNERS = 100;
const HTTP_CONNECTIONS = 32;
const DRAINED_AFTER_MS = 1_000;
const LOOK_MS = 50;
const MEBIBYTE = 2 ** 20;

/**
 * Creates through the API until there are enough records, sending the events meanwhile, then reads and lists; measures
 * the vault's process and every table with its indexes. Without the search index.
 */
export async function benchMemoryAndDisk(context: BenchContext): Promise<BenchReport> {
  await using database = await context.server.createDatabase("disk");
  await makeTables(database);
  await using farEnd = await startFarEnd({ isElsewhere: true });
  const awareness = { url: `http://127.0.0.1:${farEnd.receiverPort}`, secret: INGEST_SECRET };
  await using vault = await startVault(database.url, { awareness });
  const idle = residentBytes(vault.pid).now;
  const owners = await createOwners(database, OWNERS);
  await createRecords(context, { database, vault, owners });
  const { perRecord, perPayload, tables } = await weighTables(database);
  await readEverything(context, { database, vault, owners });
  const { now, peak } = residentBytes(vault.pid);
  return {
    outcomes: [
      {
        name: "resident memory of the vault after load",
        measured: now / MEBIBYTE,
        bar: 300,
        atMost: true,
        unit: " MB",
      },
      { name: "disk of a record / its JSON", measured: perRecord / perPayload, bar: 9, atMost: true },
    ],
    figures: [],
    notes: [
      `Vault process: ${(idle / MEBIBYTE).toFixed(0)} MB before load, ${(peak / MEBIBYTE).toFixed(0)} MB at most, ${(now / MEBIBYTE).toFixed(0)} MB after creates, reads and pages over ${HTTP_CONNECTIONS} connections.`,
      `A record takes ${perRecord.toFixed(0)} bytes for ${perPayload.toFixed(0)} bytes of JSON, events drained: ${tables}.`,
    ],
  };
}

interface Loaded {
  readonly database: Database;
  readonly vault: BenchVault;
  readonly owners: readonly EName[];
}

async function createRecords({ load, sizes }: BenchContext, { database, vault, owners }: Loaded): Promise<void> {
  const requests = Array.from({ length: 1_000 }, (_, number) =>
    toHttp(createRequest(owners[number % OWNERS] as EName, sampleInput(number))),
  );
  await load.prepare({ name: "disk", port: vault.port, requests });
  for (let created = 0; created < sizes.diskRecords; ) {
    const window = await load.run({ name: "disk", connections: HTTP_CONNECTIONS, durationMs: DRAINED_AFTER_MS });
    created += window.operations;
    await drainEvents(database);
  }
}

/** Waits until all events are sent, and does autovacuum's work at once. */
async function drainEvents(database: Database): Promise<void> {
  const text = "select exists (select from change_event) as waiting";
  while ((await one<{ waiting: boolean }>(database, text)).waiting) await wait(LOOK_MS);
  for (const table of ["change_event", "outbox_lane", "record_count"]) {
    await database.query({ text: `vacuum ${table}`, values: [] });
  }
}

async function weighTables(database: Database) {
  const { records, payload } = await one<{ records: number; payload: number }>(
    database,
    "select count(*) as records, sum(octet_length(payload))::bigint as payload from meta_envelope",
  );
  const text = `select coalesce(i.relname, 'rows of ' || t.relname) as name, pg_table_size(coalesce(i.oid, t.oid)) as bytes
    from pg_class t cross join lateral (
      select null::oid as oid, null::name as relname union all
      select c.oid, c.relname from pg_index x join pg_class c on c.oid = x.indexrelid where x.indrelid = t.oid) as i
   where t.relkind = 'r' and t.relnamespace = 'public'::regnamespace order by 2 desc`;
  const { rows } = await database.query<{ name: string; bytes: number }>({ text, values: [] });
  const total = rows.reduce((sum, { bytes }) => sum + bytes, 0);
  const tables = rows.slice(0, 10).map(({ name, bytes }) => `${name} ${(bytes / records).toFixed(0)}`);
  return { perRecord: total / records, perPayload: payload / records, tables: tables.join(", ") };
}

async function readEverything({ load, sizes }: BenchContext, { database, vault, owners }: Loaded): Promise<void> {
  const text = "select owner, id from meta_envelope order by random() limit 1000";
  const { rows } = await database.query<{ owner: EName; id: string }>({ text, values: [] });
  await load.prepare({
    name: "reads",
    port: vault.port,
    requests: rows.map(({ owner, id }) => toHttp(readRequest(owner, id))),
  });
  await load.prepare({
    name: "pages",
    port: vault.port,
    requests: owners.map((owner) => toHttp(pageRequest(owner, { first: 50 }))),
  });
  for (const name of ["reads", "pages"])
    await load.run({ name, connections: HTTP_CONNECTIONS, durationMs: 3 * sizes.windowMs });
}
