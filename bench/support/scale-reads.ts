import { type Comparison, compare, type Variant } from "./compare.ts";
import { toHttp, type VaultRequest } from "./graphql-requests.ts";
import type { BenchContext, BenchReport, Figures, Outcome } from "./measurement.ts";
import { plainScanMs, READS, type ReadName, type Shelf, type Shelves, scaleRequests } from "./scale-requests.ts";
import { median } from "./statistics.ts";

/** How much longer each read may take among many MetaEnvelopes than among few. */
const BARS: readonly (readonly [read: ReadName, bar: number])[] = [
  [READS.byId, 1.2],
  [READS.firstPage, 1.2],
  [READS.afterMiddle, 1.2],
  [READS.beforeMiddle, 1.2],
  [READS.lastPage, 1.2],
  [READS.selective, 2],
  [READS.absent, 2],
  [READS.common, 2],
];

type Requests = ReadonlyMap<ReadName, readonly VaultRequest[]>;

/** Compares the latency of each read among few and among many MetaEnvelopes, and counted pages and short terms among many. */
export async function compareReads(context: BenchContext, { few, many }: Shelves): Promise<BenchReport> {
  const requests = { few: await scaleRequests(few), many: await scaleRequests(many) };
  const onFew = (read: ReadName) => prepareRead(context, { shelf: few, requests: requests.few, read, size: "few" });
  const onMany = (read: ReadName) => prepareRead(context, { shelf: many, requests: requests.many, read, size: "many" });
  const outcomes: Outcome[] = [];
  const figures: Figures[] = [];
  for (const [read, bar] of BARS) {
    context.say(read);
    const comparison = await compare(context, [await onMany(read), await onFew(read)]);
    outcomes.push({ name: `${read}, many / few records`, measured: ratioOf(comparison), bar, atMost: true });
    figures.push(...comparison.figures);
  }
  context.say(READS.counted);
  const counted = await compare(context, [await onMany(READS.counted), await onMany(READS.firstPage)]);
  context.say(READS.shortTerm);
  const short = await compare(context, [await onMany(READS.shortTerm)]);
  const scanMs = await scanRounds(context, many, "one");
  const parallelScanMs = await scanRounds(context, many, "any");
  const uncounted = await statementsOf(many, requests.many, READS.firstPage);
  const shortMs = short.figures[0]?.p50Ms ?? Number.NaN;
  const promise = { atMost: true, bar: 1.5 };
  return {
    outcomes: [
      ...outcomes,
      { ...promise, name: `${READS.shortTerm} / plain scan, many`, measured: shortMs / scanMs },
      { ...promise, name: "page with totalCount / without, many", measured: ratioOf(counted) },
      {
        ...promise,
        name: "statements of a page without totalCount: the page, the keys of policies",
        measured: uncounted,
        bar: 2,
      },
    ],
    figures: [...figures, ...counted.figures.slice(0, 1), ...short.figures],
    notes: [
      `A plain scan of ${many.count} search texts by PostgreSQL took ${scanMs.toFixed(0)} ms in one process, ${parallelScanMs.toFixed(0)} ms in as many as it chose.`,
    ],
  };
}

async function scanRounds({ sizes }: BenchContext, shelf: Shelf, processes: "one" | "any"): Promise<number> {
  const scansMs: number[] = [];
  for (let round = 0; round < sizes.rounds; round += 1) scansMs.push(await plainScanMs(shelf, processes));
  return median(scansMs);
}

async function prepareRead(
  { load, sizes }: BenchContext,
  read: { readonly shelf: Shelf; readonly requests: Requests; readonly read: ReadName; readonly size: string },
): Promise<Variant> {
  const name = `${read.read}, ${read.size}`;
  const requests = read.requests.get(read.read)?.map(toHttp) ?? [];
  await load.prepare({ name, port: read.shelf.vault.port, requests });
  const window = { name, connections: 1, durationMs: sizes.windowMs / 4 };
  return { name, servicePid: read.shelf.vault.pid, run: () => load.run(window) };
}

/** The first variant over the second, by median latency. */
function ratioOf({ ratio, figures: [above, below] }: Comparison): number {
  return ratio("p50Ms", above?.name ?? "", below?.name ?? "");
}

async function statementsOf({ vault, owner }: Shelf, requests: Requests, read: ReadName): Promise<number> {
  const [request] = requests.get(read) ?? [];
  if (request === undefined) throw new Error(`no request for ${read}`);
  await vault.ask(owner, request);
  const before = await vault.counts();
  await vault.ask(owner, request);
  return (await vault.counts()).statements - before.statements;
}
