import { setTimeout as wait } from "node:timers/promises";
import { type StallingProxy, startStallingProxy } from "@dataspace/service-kit/testing/stalling-proxy";
import { createSeededRandom } from "@dataspace/service-kit/testing/test-random";
import { CLIENTS, startDriver } from "../crash/driver.ts";
import { createFaults, type Faults } from "../crash/faults.ts";
import { type JudgedRun, judgeRun, logFilesIn } from "../crash/judge-run.ts";
import { shuffle } from "../crash/random.ts";
import { openSpace, type Space } from "../crash/space.ts";
import { untilEmpty } from "../crash/until-empty.ts";
import { measureBusyPercent } from "./busy.ts";
import { createLoadRecord, type LoadCount, type LoadRecord } from "./load-record.ts";
import { type MemorySample, readMemoryBytes, slopePercentAnHour } from "./memory.ts";
import { createPace } from "./pace.ts";
import { READERS, startReaders } from "./readers.ts";
import { SOAK_FAULTS, type SoakParties } from "./soak-faults.ts";

/** The length of a soak, its faults, and where its databases and logs are. */
export interface SoakRun {
  readonly seed: number;
  readonly capacityMs: number;
  readonly loadMs: number;
  readonly faultEveryMs: number;
  /** How much faster than the machine's the services' clock goes. */
  readonly speed: number;
  readonly directory: string;
  readonly urls: { readonly vault: string; readonly awareness: string };
  /** Stops the database at once; it restarts by itself. */
  readonly stopDatabase: () => void;
  readonly say: (line: string) => void;
}

/** The result of a soak; it passes without faults. */
export interface SoakReport {
  /** How busy the processors were before the run; above 20 % the latency is not judged. */
  readonly othersPercent: number;
  /** Requests a second. */
  readonly capacity: number;
  readonly outside: LoadCount;
  readonly inside: LoadCount;
  /** Percent an hour, by process; absent where the system does not report memory. */
  readonly memorySlopes: Readonly<Record<string, number>>;
  readonly slowestRecoveryMs: number;
  readonly judged: JudgedRun;
  readonly faults: readonly string[];
  readonly faultCount: number;
}

const MOST_UNDER_WAY = 200;
const WARM_UP_MS = 2_000;
const LEAST_SUCCESS = 0.999;
const MOST_P95_MS = 250;
/** Above it the latency says more about other programs than about the services. */
const MOST_OTHERS_PERCENT = 20;
const MOST_RECOVERY_MS = 30_000;
/** In a shorter run the growth of a warming process looks like a leak. */
const SLOPE_FROM_MS = 1_800_000;
const MOST_SLOPE = 5;
/** Long enough that a busy machine makes answers late, and not failures. */
const REQUEST_MS = 5_000;
const SAMPLE_MS = 5_000;
const PROBE_MS = 100;
const PROBE_LIMIT_MS = 1_000;
/** Requests of the last moments before a recovery may still wait for their time limit. */
const GRACE_MS = 1_000;
const SERVICE_STATEMENT_TIMEOUT_MS = 2_000;

/**
 * Runs writers and readers at half of the measured capacity, and causes a fault at each interval. It judges the requests
 * outside the windows of the faults, the recoveries and the memory, and in the end every write and every arrival.
 *
 * A window lasts from the fault until both vaults answer again, and one second more. Refuses: when a process ends by itself, or the
 * queues do not empty.
 */
export async function runSoak(run: SoakRun): Promise<SoakReport> {
  const othersPercent = await measureBusyPercent();
  const faults = createFaults();
  const random = createSeededRandom(run.seed);
  const time = { fromMs: Date.now(), speed: run.speed };
  await using opened = new AsyncDisposableStack();
  const proxies = {
    vault: opened.use(await startStallingProxy(run.urls.vault)),
    awareness: opened.use(await startStallingProxy(run.urls.awareness)),
  };
  const through = { serviceUrls: urlsOf(proxies), statementTimeoutMs: SERVICE_STATEMENT_TIMEOUT_MS };
  const space = opened.use(await openSpace({ ...run, ...through, time, flaky: true }));
  const pace = createPace(CLIENTS + READERS);
  let record = createLoadRecord();
  const load = {
    ...space,
    restMs: pace.restMs,
    requestMs: REQUEST_MS,
    onAnswer: (answered: Parameters<LoadRecord["add"]>[0]) => record.add(answered),
  };
  let capacity: number;
  let memory: ReturnType<typeof sampleMemory>;
  let slowestRecoveryMs: number;
  {
    await using _driver = startDriver({
      ...load,
      logFile: logFilesIn(run.directory).written,
      random: createSeededRandom(run.seed + 1),
      mayWrite: (acknowledged) => acknowledged - space.receiver.applied() < MOST_UNDER_WAY,
    });
    await using _readers = startReaders({ ...load, random: createSeededRandom(run.seed + 2) });
    await wait(WARM_UP_MS);
    record = createLoadRecord();
    await wait(run.capacityMs);
    capacity = (record.outside().answers * 1_000) / run.capacityMs;
    pace.set(capacity / 2);
    run.say(`capacity ${capacity.toFixed(0)} requests a second; the load is half of it`);
    await wait(GRACE_MS);
    record = createLoadRecord();
    memory = sampleMemory(space);
    const parties = { space, proxies: Object.values(proxies), stopDatabase: run.stopDatabase };
    const order = () => shuffle(SOAK_FAULTS, random);
    slowestRecoveryMs = await causeFaults(run, { parties, space, order, record });
    memory[Symbol.dispose]();
  }
  await untilEmpty(space);
  const judged = await judgeRun(space.databases, run.directory, faults);
  const report = {
    othersPercent,
    capacity,
    outside: record.outside(),
    inside: record.inside(),
    memorySlopes: memory.slopes(),
    slowestRecoveryMs,
  };
  judgeLoad(report, run, faults);
  return { ...report, judged, faults: faults.first, faultCount: faults.count() };
}

function urlsOf({ vault, awareness }: Readonly<Record<"vault" | "awareness", StallingProxy>>): SoakRun["urls"] {
  return { vault: vault.url, awareness: awareness.url };
}

interface FaultyLoad {
  readonly parties: SoakParties;
  readonly space: Space;
  readonly order: () => readonly (typeof SOAK_FAULTS)[number][];
  readonly record: LoadRecord;
}

/**
 * Causes faults until the load ends, each kind once before any is repeated. A fault that took long delays the next one, so
 * that at least half of an interval lies outside windows. Out: how long the slowest recovery took.
 */
async function causeFaults(run: SoakRun, { parties, space, order, record }: FaultyLoad): Promise<number> {
  const startMs = performance.now();
  let planned = [...order()];
  let slowestMs = 0;
  let closedMs = startMs;
  for (let n = 1; n * run.faultEveryMs < run.loadMs; n += 1) {
    const dueMs = Math.max(startMs + n * run.faultEveryMs, closedMs + run.faultEveryMs / 2);
    await wait(Math.max(0, dueMs - performance.now()));
    if (planned.length === 0) planned = [...order()];
    const fault = planned.shift() as (typeof SOAK_FAULTS)[number];
    const faultMs = performance.now();
    record.openWindow();
    await fault.cause(parties);
    await untilAnswering(space);
    const tookMs = performance.now() - faultMs;
    await wait(GRACE_MS);
    closedMs = performance.now();
    record.closeWindow(closedMs);
    slowestMs = Math.max(slowestMs, tookMs);
    const { answers, failures } = record.outside();
    run.say(
      `${fault.name}: ${(tookMs / 1_000).toFixed(1)} s; so far ${answers} answers outside windows, ${failures} failed`,
    );
  }
  await wait(Math.max(0, startMs + run.loadMs - performance.now()));
  return slowestMs;
}

/** Waits until each service process listens and each vault answers from its database, twice in a row. */
async function untilAnswering({ processes, vaultUrls, owners }: Space): Promise<void> {
  await Promise.all(processes.map((process) => process.life()));
  for (let inARow = 0; inARow < 2; ) {
    const answers = await Promise.all(vaultUrls.map((url) => isAnswering(url, owners[0] as string)));
    inARow = answers.every(Boolean) ? inARow + 1 : 0;
    await wait(PROBE_MS);
  }
}

async function isAnswering(url: string, owner: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/graphql`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-ename": owner },
      body: JSON.stringify({ query: "{ metaEnvelopes(first: 1) { totalCount } }" }),
      signal: AbortSignal.timeout(PROBE_LIMIT_MS),
    });
    const { errors } = (await response.json()) as { readonly errors?: unknown };
    return response.ok && errors === undefined;
  } catch {
    return false;
  }
}

/** Samples the processes that are never killed, and drops the first quarter, in which they warm up. */
function sampleMemory({ processes }: Space): Disposable & { readonly slopes: () => Readonly<Record<string, number>> } {
  const samples = new Map<string, MemorySample[]>();
  const timer = setInterval(() => {
    for (const process of processes) {
      const pid = process.pid();
      const bytes = process.kills() > 0 || pid === undefined ? undefined : readMemoryBytes(pid);
      if (bytes === undefined) samples.delete(process.name);
      else samples.set(process.name, [...(samples.get(process.name) ?? []), { atMs: performance.now(), bytes }]);
    }
  }, SAMPLE_MS);
  return {
    [Symbol.dispose]: () => clearInterval(timer),
    slopes: () =>
      Object.fromEntries(
        [...samples].map(([name, all]) => [name, slopePercentAnHour(all.slice(Math.floor(all.length / 4)))]),
      ),
  };
}

function judgeLoad(
  { othersPercent, outside, memorySlopes, slowestRecoveryMs }: Omit<SoakReport, "judged" | "faults" | "faultCount">,
  { loadMs }: SoakRun,
  faults: Faults,
): void {
  const { answers, failures, p95Ms } = outside;
  if (answers === 0) faults.add("no request was answered outside the windows of faults");
  else if (1 - failures / answers < LEAST_SUCCESS)
    faults.add(`${failures} of ${answers} requests failed outside windows`);
  if (p95Ms >= MOST_P95_MS && othersPercent <= MOST_OTHERS_PERCENT)
    faults.add(`the 95th percentile outside windows is ${p95Ms} ms`);
  if (slowestRecoveryMs > MOST_RECOVERY_MS) faults.add(`a recovery took ${(slowestRecoveryMs / 1_000).toFixed(1)} s`);
  if (loadMs < SLOPE_FROM_MS) return;
  for (const [name, slope] of Object.entries(memorySlopes)) {
    if (slope >= MOST_SLOPE) faults.add(`the memory of ${name} grows by ${slope.toFixed(1)} % an hour`);
  }
}
