import { createAdapter } from "@dataspace/adapter/create-adapter";
import { createMappings } from "@dataspace/adapter/mapping/create-mappings";
import { backfill } from "@dataspace/adapter/operate/backfill";
import { openSqliteState, sqliteQueryable } from "@dataspace/adapter/state/sqlite-state";
import { createSqlTable } from "@dataspace/adapter/sync/sql-table";
import { createBearerCredential } from "@dataspace/vault-client/credential";
import { createVaultClients, type VaultClients } from "@dataspace/vault-client/vault-clients";
import type { EName } from "@dataspace/protocol/ename";
import { createOwners, makeTables, startVault } from "./support/bench-vault.ts";
import { compare } from "./support/compare.ts";
import type { LoadResult } from "./support/load-process.ts";
import type { BenchContext, BenchReport } from "./support/measurement.ts";
import { platformBearer } from "./support/people.ts";
import { percentile } from "./support/statistics.ts";

const ROWS = 2_000;
const BATCH = 500;
const OWNERS = 500;
/** What strangers write into one vault is at most 10,000 records. */
const OWNERS_OF_LARGE = 20;
const REGISTRY_URL = "http://registry.bench";
const SCHEMA = "550e8400-e29b-41d4-a716-446655440001";
const BULK = `records by the vault's bulk alone, ${BATCH} in a request`;
const BACKFILL = "records by the adapter's backfill, exactly once";

const MAPPINGS = createMappings([
  {
    file: "posts",
    document: {
      ...{ tableName: "posts", schemaId: SCHEMA, ownerEnamePath: "owner" },
      localToUniversalMap: { text: "content", likes: "likes" },
    },
  },
]);

interface Post {
  readonly id: string;
  readonly text: string;
  readonly likes: number;
  readonly owner: EName;
}

/** Creates the records of the same rows by bulk requests alone, and by a backfill that notes intents and pairs in SQLite. */
export async function benchBackfill(context: BenchContext): Promise<BenchReport> {
  await using database = await context.server.createDatabase("backfill");
  await makeTables(database);
  await using vault = await startVault(database.url);
  const owners = await createOwners(database, OWNERS);
  let turn = 0;
  // What strangers write into one vault has a quota, so each piece has an owner of its own.
  const nextRows = (): readonly Post[] => {
    const owner = owners[turn++ % OWNERS] as EName;
    return Array.from({ length: ROWS }, (_, at) => ({
      id: `p${at}`,
      text: `post ${at} `.repeat(10),
      likes: at,
      owner,
    }));
  };
  const uri = `http://127.0.0.1:${vault.port}`;
  const toRegistry = async (url: string) => {
    const ename = [...new URL(url).searchParams.values()].find((value) => value.startsWith("@"));
    return Response.json({ kind: "vault", ename, uri, vault: "bench" });
  };
  const routed = (url: string, init: RequestInit) =>
    url.startsWith(REGISTRY_URL) ? toRegistry(url) : fetch(url, init);
  const credential = createBearerCredential(platformBearer());
  const clients = createVaultClients({ registryUrl: REGISTRY_URL, credential }, { fetch: routed });
  const { figures, ratio } = await compare(context, [
    { name: BULK, servicePid: vault.pid, run: () => repeat(context, () => createInBulk(clients, nextRows())) },
    { name: BACKFILL, servicePid: vault.pid, run: () => repeat(context, () => createByBackfill(clients, nextRows())) },
  ]);
  const large = await backfillOnce(clients, context, owners.slice(-OWNERS_OF_LARGE));
  return {
    outcomes: [
      {
        name: "records by backfill / by bulk alone",
        measured: ratio("opsPerSecond", BACKFILL, BULK),
        bar: 0.6,
        atMost: false,
      },
    ],
    figures,
    notes: [`${ROWS} rows of one owner at a time. Both sides run in one process beside the vault's.`, large],
  };
}

/** Backfills one large table of several owners. Out: a sentence with its rate, and how much memory the process took more. */
async function backfillOnce(clients: VaultClients, { sizes }: BenchContext, owners: readonly EName[]): Promise<string> {
  const posts = Array.from({ length: sizes.backfilledRows }, (_, at) => ({
    id: `p${String(at).padStart(6, "0")}`,
    text: `post ${at} `.repeat(10),
    likes: at,
    owner: owners[Math.floor((at * owners.length) / sizes.backfilledRows)] as EName,
  }));
  const [beganMs, beforeBytes] = [performance.now(), process.memoryUsage.rss()];
  await createByBackfill(clients, posts);
  const perSecond = posts.length / ((performance.now() - beganMs) / 1_000);
  const moreMiB = (process.memoryUsage.rss() - beforeBytes) / 1_048_576;
  return `A table of ${posts.length} rows of ${owners.length} owners, one after the other, was backfilled at ${perSecond.toFixed(0)} rows/s; the process, with the table in memory, took ${moreMiB.toFixed(0)} MiB more.`;
}

async function createInBulk(clients: VaultClients, posts: readonly Post[]): Promise<void> {
  for (let from = 0; from < posts.length; from += BATCH) {
    const inputs = posts
      .slice(from, from + BATCH)
      .map(({ text, likes }) => ({ ontology: SCHEMA, payload: { content: text, likes } }));
    for await (const { success, message } of clients.vault(posts[0]?.owner ?? "").createMany(inputs)) {
      if (!success) throw new Error(`a record was not created: ${message}`);
    }
  }
}

async function createByBackfill(vaults: VaultClients, posts: readonly Post[]): Promise<void> {
  using state = openSqliteState(":memory:");
  await state.query({
    text: "create table posts (id text primary key, text text, likes integer, owner text)",
    values: [],
  });
  for (const { id, text, likes, owner } of posts)
    await state.query({ text: "insert into posts values ($1, $2, $3, $4)", values: [id, text, likes, owner] });
  const table = createSqlTable({
    ...{ table: "posts", columns: { text: "text", likes: "likes", owner: "owner" }, database: state },
    ...{ newId: () => crypto.randomUUID(), inTransaction: sqliteQueryable },
  });
  await using adapter = await createAdapter({ mappings: MAPPINGS, state, vaults, tables: { posts: table } });
  for await (const _progress of backfill(adapter.sync, "posts", { dryRun: false, flush: adapter.flush }));
  const { waiting, parked, counts } = await adapter.status();
  if (counts.sent !== posts.length || waiting + parked > 0) throw new Error(`a backfill sent ${counts.sent} rows`);
}

/** Repeats a piece of work for the window. What counts is records; a latency is of a whole piece. */
async function repeat({ sizes }: BenchContext, work: () => Promise<void>): Promise<LoadResult> {
  const latenciesMs: number[] = [];
  const beganMs = performance.now();
  let elapsedMs = 0;
  while (elapsedMs < sizes.windowMs) {
    const startedMs = performance.now();
    await work();
    elapsedMs = performance.now() - beganMs;
    latenciesMs.push(performance.now() - startedMs);
  }
  const [p50Ms, p99Ms] = [percentile(latenciesMs, 0.5), percentile(latenciesMs, 0.99)];
  return { operations: latenciesMs.length * ROWS, elapsedMs, p50Ms, p99Ms };
}
