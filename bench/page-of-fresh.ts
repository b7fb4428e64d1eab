import type { EName } from "@dataspace/protocol/ename";
import { type BenchDatabase, one } from "./support/bench-server.ts";
import { type BenchVault, createOwners, makeTables, startVault } from "./support/bench-vault.ts";
import { compare } from "./support/compare.ts";
import { pageRequest, toHttp } from "./support/graphql-requests.ts";
import type { BenchContext, BenchReport } from "./support/measurement.ts";
import { sampleInput } from "./support/sample-records.ts";

const HTTP_CONNECTIONS = 8;
const PAGE = 50;
const SMALL = 1_000;
const CREATED_MS = 500;
const BAR = 1.2;

const nameOf = (count: number): string => `page of ${PAGE} of ${count.toLocaleString("en")}, never analyzed`;

/**
 * Reads pages of 50 from two databases that hold nothing but what one owner created through the operation itself: 1,000
 * MetaEnvelopes, and 20,000 (2,000 in the short form). Nobody analyzes or vacuums the tables, so the plans are those of
 * a new vault.
 */
export async function benchPageOfFresh(context: BenchContext): Promise<BenchReport> {
  await using small = await context.server.createDatabase("fresh_small");
  await using large = await context.server.createDatabase("fresh_large");
  await using vaultOfSmall = await prepare(small);
  await using vaultOfLarge = await prepare(large);
  const { load, sizes } = context;
  const grown = 2 * sizes.fewRecords;
  const few = await fill(small, vaultOfSmall, SMALL);
  const many = await fill(large, vaultOfLarge, grown);
  const [fresh, full] = [nameOf(SMALL), nameOf(grown)];
  const window = { connections: HTTP_CONNECTIONS, durationMs: sizes.windowMs };
  const variants = [];
  for (const { name, vault, owner } of [
    { name: fresh, vault: vaultOfSmall, owner: few },
    { name: full, vault: vaultOfLarge, owner: many },
  ]) {
    await load.prepare({ name, port: vault.port, requests: [toHttp(pageRequest(owner, { first: PAGE }))] });
    variants.push({ name, servicePid: vault.pid, run: () => load.run({ name, ...window }) });
  }
  const comparison = await compare(context, variants);
  return {
    outcomes: [
      [fresh, full],
      [full, fresh],
    ].map(([above = "", below = ""]) => ({
      name: `PostgreSQL's CPU: ${above} / ${below}`,
      measured: comparison.ratio("postgresCpuUs", above, below),
      bar: BAR,
      atMost: true,
    })),
    figures: comparison.figures,
    notes: [],
  };
}

async function prepare(database: BenchDatabase): Promise<BenchVault> {
  await makeTables(database);
  for (const table of ["meta_envelope", "record_count"])
    await database.query({ text: `alter table ${table} set (autovacuum_enabled = off)`, values: [] });
  return startVault(database.url);
}

async function fill(database: BenchDatabase, vault: BenchVault, count: number): Promise<EName> {
  const [owner] = (await createOwners(database, 1)) as [EName];
  const inputs = Array.from({ length: 100 }, (_, number) => sampleInput(number));
  const created = async () => (await one<{ n: number }>(database, "select count(*)::int as n from meta_envelope")).n;
  while ((await created()) < count)
    await vault.createDirectly({ owners: [owner], inputs, concurrency: 8, durationMs: CREATED_MS });
  return owner;
}
