import { probeFsyncUs } from "./fsync-probe.ts";
import type { LoadResult } from "./load-process.ts";
import type { BenchContext, Figures } from "./measurement.ts";
import { familyCpuUs, processCpuUs, reapedCpuUs } from "./process-cpu.ts";
import { median, medianRatio } from "./statistics.ts";

/** Something measured beside others: one window of work, what comes before it uncounted, and the process that serves it, if any. */
export interface Variant {
  readonly name: string;
  readonly servicePid?: number;
  readonly prepare?: () => Promise<void>;
  readonly run: () => Promise<LoadResult>;
}

/** All windows of the variants of one comparison, round by round, so that the n-th windows lie beside each other. */
export interface Comparison {
  readonly figures: readonly Figures[];
  /** The median over the rounds of one figure of a variant over that of another. */
  readonly ratio: (figure: keyof Omit<Figures, "name">, above: string, below: string) => number;
  readonly fsyncUs: number;
}

const SLOW_FSYNC_US = 150;

/**
 * Measures variants in turn, in windows of a second or two, for several rounds, each second one backwards, so that whatever
 * else the machine does meets all of them alike. A first round that is not counted warms caches and code.
 *
 * Refuses: what a window refuses; nothing is measured of a variant that errs.
 */
export async function compare(context: BenchContext, variants: readonly Variant[]): Promise<Comparison> {
  const windows = new Map<string, Figures[]>(variants.map(({ name }) => [name, []]));
  const probes: number[] = [];
  for (const variant of variants) {
    await variant.prepare?.();
    await variant.run();
  }
  for (let round = 0; round < context.sizes.rounds; round += 1) {
    probes.push(probeFsyncUs(context.server.directory));
    for (const variant of round % 2 === 0 ? variants : variants.toReversed()) {
      windows.get(variant.name)?.push(await runWindow(context, variant));
    }
  }
  const fsyncUs = median(probes);
  if (fsyncUs > SLOW_FSYNC_US)
    context.say(`a durable write took ${fsyncUs.toFixed(0)} us: the disk was busy or is slow`);
  const windowsOf = (name: string) => windows.get(name) ?? [];
  return {
    figures: variants.map(({ name }) => toMedians(name, windowsOf(name))),
    ratio: (figure, above, below) =>
      medianRatio(
        windowsOf(above).map((window) => window[figure]),
        windowsOf(below).map((window) => window[figure]),
      ),
    fsyncUs,
  };
}

async function runWindow(
  { server, load }: BenchContext,
  { name, servicePid, prepare, run }: Variant,
): Promise<Figures> {
  await prepare?.();
  const readCpu = () => ({
    service: servicePid === undefined ? 0 : processCpuUs(servicePid),
    postgres: server.pid === undefined ? Number.NaN : familyCpuUs(server.pid),
    load: processCpuUs(load.pid) + reapedCpuUs(),
  });
  const before = readCpu();
  const { operations, elapsedMs, p50Ms, p99Ms } = await run();
  const after = readCpu();
  return {
    name,
    opsPerSecond: (operations / elapsedMs) * 1_000,
    p50Ms,
    p99Ms,
    serviceCpuUs: (after.service - before.service) / operations,
    postgresCpuUs: (after.postgres - before.postgres) / operations,
    loadCpuUs: (after.load - before.load) / operations,
  };
}

function toMedians(name: string, windows: readonly Figures[]): Figures {
  const middle = (figure: keyof Omit<Figures, "name">) => median(windows.map((window) => window[figure]));
  return {
    name,
    opsPerSecond: middle("opsPerSecond"),
    p50Ms: middle("p50Ms"),
    p99Ms: middle("p99Ms"),
    serviceCpuUs: middle("serviceCpuUs"),
    postgresCpuUs: middle("postgresCpuUs"),
    loadCpuUs: middle("loadCpuUs"),
  };
}
