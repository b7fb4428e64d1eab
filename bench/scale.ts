import type { EName } from "@dataspace/protocol/ename";
import { addSearchIndex, createOwners, makeTables, startVault } from "./support/bench-vault.ts";
import { createRequest, toHttp } from "./support/graphql-requests.ts";
import { loadRecords } from "./support/load-records.ts";
import type { BenchContext, BenchReport, Figures, Outcome } from "./support/measurement.ts";
import { sampleInput } from "./support/sample-records.ts";
import { plainScanMs, type Shelf, scaleRequests } from "./support/scale-requests.ts";
import { type Comparison, compare, type Variant } from "./support/slots.ts";
import { median } from "./support/statistics.ts";

const HTTP_CONNECTIONS = 32;

/** One owner of few MetaEnvelopes beside one of many, each alone in a database: what grows with their number? */
export async function benchScale(context: BenchContext): Promise<BenchReport> {
  const { sizes, say } = context;
  await using stack = new AsyncDisposableStack();
  const few = await openShelf(context, stack, sizes.fewRecords);
  const many = await openShelf(context, stack, sizes.manyRecords);
  say("creates without the search index");
  const without = await compareCreates(context, "without the search index", few, many);
  const figures = [...without.figures];
  say("making the search index of the large database; creates with it beside creates into the small one without");
  await addIndex(many);
  const withIndex = await compareCreates(context, "with the search index", few, many);
  figures.push(...withIndex.figures);
  await addIndex(few);
  // Also moves what was just created out of the index's list of pending entries, which a search reads whole.
  await many.database.query({ text: "vacuum analyze", values: [] });
  const [above, below] = [
    createName("with the search index", many, context),
    createName("with the search index", few, context),
  ];
  const [aboveWithout, belowWithout] = [
    createName("without the search index", many, context),
    createName("without the search index", few, context),
  ];
  const reads = await compareReads(context, few, many);
  return {
    outcomes: [
      {
        name: "create, many / few records, without search index",
        measured: without.ratio("opsPerSecond", aboveWithout, belowWithout),
        bar: 0.85,
        atMost: false,
      },
      {
        name: "create, many with search index / few without",
        measured: withIndex.ratio("opsPerSecond", above, below),
        bar: 0.6,
        atMost: false,
      },
      ...reads.outcomes,
    ],
    figures: [...figures, ...reads.figures],
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

function createName(label: string, { count }: Shelf, { sizes }: BenchContext): string {
  const small = count === sizes.fewRecords;
  return `create, ${small ? "few" : "many"}, ${small ? "(beside) " : ""}${label}`;
}

async function compareCreates(context: BenchContext, label: string, few: Shelf, many: Shelf): Promise<Comparison> {
  const variants: Variant[] = [];
  for (const shelf of [few, many]) {
    const name = createName(label, shelf, context);
    const requests = Array.from({ length: 1_000 }, (_, number) =>
      toHttp(createRequest(shelf.owner, sampleInput(number))),
    );
    await context.load.prepare({ name, port: shelf.vault.port, requests });
    const slot = { name, connections: HTTP_CONNECTIONS, durationMs: context.sizes.slotMs };
    variants.push({ name, servicePid: shelf.vault.pid, run: () => context.load.run(slot) });
  }
  return compare(context, variants);
}

async function compareReads(context: BenchContext, few: Shelf, many: Shelf): Promise<BenchReport> {
  const [ofFew, ofMany] = [await scaleRequests(few), await scaleRequests(many)];
  const figures: Figures[] = [];
  const ratios = new Map<string, number>();
  const variant = async (shelf: Shelf, label: string, kind: string): Promise<Variant> => {
    const name = `${kind}, ${label}`;
    const requests = (shelf === few ? ofFew : ofMany).get(kind)?.map(toHttp) ?? [];
    await context.load.prepare({ name, port: shelf.vault.port, requests });
    const slot = { name, connections: 1, durationMs: context.sizes.slotMs / 4 };
    return { name, servicePid: shelf.vault.pid, run: () => context.load.run(slot) };
  };
  for (const kind of ofFew.keys()) {
    context.say(kind);
    const pair = [await variant(few, "few", kind), await variant(many, "many", kind)];
    if (kind === COUNTED) pair.push(await variant(many, "many", UNCOUNTED));
    const comparison = await compare(context, pair);
    ratios.set(kind, comparison.ratio("p50Ms", `${kind}, many`, `${kind}, few`));
    if (kind === COUNTED) ratios.set("count", comparison.ratio("p50Ms", `${COUNTED}, many`, `${UNCOUNTED}, many`));
    figures.push(...comparison.figures);
  }
  const scansMs: number[] = [];
  for (let round = 0; round < context.sizes.rounds; round += 1) scansMs.push(await plainScanMs(many));
  const scanMs = median(scansMs);
  const shortMs = figures.find(({ name }) => name === `${SHORT}, many`)?.p50Ms ?? Number.NaN;
  return {
    outcomes: [
      ...BARS.map(
        ([kind, bar]): Outcome => ({
          name: `${kind}, many / few records`,
          measured: ratios.get(kind) ?? Number.NaN,
          bar,
          atMost: true,
        }),
      ),
      { name: `${SHORT} / plain scan, many`, measured: shortMs / scanMs, bar: 1.5, atMost: true },
      {
        name: "page with totalCount / without, many",
        measured: ratios.get("count") ?? Number.NaN,
        bar: 1.5,
        atMost: true,
      },
      {
        name: "statements of a page whose totalCount is not selected",
        measured: await statementsOf(many, ofMany, UNCOUNTED),
        bar: 1,
        atMost: true,
      },
    ],
    figures,
    notes: [`A plain scan of ${many.count} search texts by PostgreSQL took ${scanMs.toFixed(0)} ms.`],
  };
}

const UNCOUNTED = "first page";
const COUNTED = "first page with totalCount";
const SHORT = "search, absent term of 2 letters";

const BARS: readonly (readonly [kind: string, bar: number])[] = [
  ["read by id", 1.2],
  [UNCOUNTED, 1.2],
  ["page after the middle", 1.2],
  ["page before the middle", 1.2],
  ["last page", 1.2],
  ["search, selective term", 2],
  ["search, absent term", 2],
  ["search, very common term", 2],
];

async function statementsOf(
  { vault, owner }: Shelf,
  requests: Awaited<ReturnType<typeof scaleRequests>>,
  kind: string,
) {
  const [request] = requests.get(kind) ?? [];
  if (request === undefined) throw new Error(`no request ${kind}`);
  await vault.ask(owner, request);
  const before = await vault.counts();
  await vault.ask(owner, request);
  return (await vault.counts()).statements - before.statements;
}
