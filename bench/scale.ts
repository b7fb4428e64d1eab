import type { EName } from "@dataspace/protocol/ename";
import { addSearchIndex, createOwners, makeTables, startVault } from "./support/bench-vault.ts";
import { type Comparison, compare, type Variant } from "./support/compare.ts";
import { createRequest, toHttp } from "./support/graphql-requests.ts";
import { loadRecords } from "./support/load-records.ts";
import type { BenchContext, BenchReport } from "./support/measurement.ts";
import { sampleInput } from "./support/sample-records.ts";
import { compareReads } from "./support/scale-reads.ts";
import type { Shelf, Shelves } from "./support/scale-requests.ts";

const HTTP_CONNECTIONS = 32;

/** One owner of few MetaEnvelopes beside one of many, each alone in a database: what grows with their number? */
export async function benchScale(context: BenchContext): Promise<BenchReport> {
  const { sizes, say } = context;
  await using stack = new AsyncDisposableStack();
  const few = await openShelf(context, stack, sizes.fewRecords);
  const many = await openShelf(context, stack, sizes.manyRecords);
  const without = await compareCreates(context, "no search index", { few, many });
  say("making the search index of the large database");
  await addIndex(many);
  const withIndex = await compareCreates(context, "search index on many alone", { few, many });
  await addIndex(few);
  // Also moves what was just created out of the index's list of pending entries, which a search reads whole.
  await many.database.query({ text: "vacuum analyze", values: [] });
  const reads = await compareReads(context, { few, many });
  const outcome = { atMost: false };
  return {
    outcomes: [
      { ...outcome, name: "create, many / few records, no search index", measured: ratioOf(without), bar: 0.85 },
      { ...outcome, name: "create, many with search index / few without", measured: ratioOf(withIndex), bar: 0.6 },
      ...reads.outcomes,
    ],
    figures: [...without.figures, ...withIndex.figures, ...reads.figures],
    notes: [
      `Few is ${sizes.fewRecords}, many ${sizes.manyRecords} MetaEnvelopes of one owner, each in a database of its own, loaded by SQL that fills what a create fills (one is created and compared), vacuumed and analysed. Creates: ${HTTP_CONNECTIONS} connections, and the tables grow by what is created. Reads: one connection, median latency, both databases with the search index.`,
      ...reads.notes,
    ],
  };
}

async function openShelf(context: BenchContext, stack: AsyncDisposableStack, count: number): Promise<Shelf> {
  context.say(`loading ${count}`);
  const database = stack.use(await context.server.createDatabase(`scale_${count}`));
  await makeTables(database);
  const vault = stack.use(await startVault(database.url));
  const [owner] = (await createOwners(database, 1)) as [EName];
  await loadRecords({ database, vault }, { owner, count });
  return { database, vault, owner, count };
}

async function addIndex({ database }: Shelf): Promise<void> {
  await addSearchIndex(database);
  await database.query({ text: "vacuum analyze", values: [] });
}

async function compareCreates(context: BenchContext, label: string, shelves: Shelves): Promise<Comparison> {
  context.say(`creates, ${label}`);
  // What loading left to be written must not be written while creates are measured.
  await shelves.few.database.query({ text: "checkpoint", values: [] });
  const variants: Variant[] = [];
  for (const [size, { owner, vault }] of Object.entries<Shelf>({ ...shelves })) {
    const name = `create, ${size}, ${label}`;
    const requests = Array.from({ length: 1_000 }, (_, number) => toHttp(createRequest(owner, sampleInput(number))));
    await context.load.prepare({ name, port: vault.port, requests });
    const window = { name, connections: HTTP_CONNECTIONS, durationMs: context.sizes.windowMs };
    variants.push({ name, servicePid: vault.pid, run: () => context.load.run(window) });
  }
  return compare(context, variants);
}

function ratioOf({ ratio, figures: [few, many] }: Comparison): number {
  return ratio("opsPerSecond", many?.name ?? "", few?.name ?? "");
}
