import { generateKeyPairSync, sign, verify } from "node:crypto";
import { type BenchLogin, startBareLibrary, startBenchConnector } from "./support/bench-login.ts";
import type { BenchContext, BenchReport, Figures } from "./support/measurement.ts";
import { median, medianRatio, percentile } from "./support/statistics.ts";

const IN_FLIGHT = 16;
const OPERATIONS_PER_WINDOW_MS = 1;

const TOKEN = `exchanges at /token, ${IN_FLIGHT} at once`;
const BARE = `the same at the bare library, ${IN_FLIGHT} at once`;
const LOGIN = `whole logins: page, wallet's answer, code, exchange, userinfo, ${IN_FLIGHT} at once`;

interface Round {
  readonly cpuUs: number;
  readonly opsPerSecond: number;
  readonly latenciesMs: readonly number[];
}

/**
 * Exchanges codes at the connector and at the bare library in turn, and runs whole logins. What counts is the CPU time of the serving
 * process. The registry and the vault answer inside that process, so their answers are parsed and verified, and no network is measured.
 */
export async function benchLogin({ server, sizes, say }: BenchContext): Promise<BenchReport> {
  await using connector = await startBenchConnector(server);
  await using bare = await startBareLibrary();
  const count = Math.ceil(sizes.windowMs * OPERATIONS_PER_WINDOW_MS);
  const rounds: Record<string, Round[]> = { [TOKEN]: [], [BARE]: [], [LOGIN]: [] };
  for (let round = 0; round <= sizes.rounds; round += 1) {
    say(`round ${round} of ${sizes.rounds}, ${count} of each`);
    const ours = await inParallel(count, () => connector.load.obtainCode());
    const theirs = await bare.child.ask<readonly string[]>("mint", count);
    const measured = {
      [TOKEN]: await measure(connector, ours.results, (code) => connector.load.exchange(code)),
      [BARE]: await measure(bare, theirs, (code) => bare.load.exchange(code)),
      [LOGIN]: await measure(connector, ours.results, () => logIn(connector)),
    };
    // The first round warms up.
    if (round > 0) for (const [name, result] of Object.entries(measured)) rounds[name]?.push(result);
  }
  const cpuOf = (name: string): readonly number[] => (rounds[name] ?? []).map(({ cpuUs }) => cpuUs);
  const loginCpuUs = median(cpuOf(LOGIN));
  const floorUs = measureCryptoFloor(count);
  return {
    outcomes: [
      {
        name: "/token per CPU-second / bare library",
        measured: medianRatio(cpuOf(BARE), cpuOf(TOKEN)),
        bar: 0.9,
        atMost: false,
      },
      { name: "whole logins per CPU-second", measured: 1e6 / loginCpuUs, bar: 250, atMost: false, unit: "/s" },
    ],
    figures: Object.entries(rounds).map(([name, found]) => toFigures(name, found)),
    notes: [
      `The floor is the cryptography of one login by node:crypto: one signature and two verifications, ${floorUs.toFixed(0)} us, ${(1e6 / floorUs).toFixed(0)} logins per CPU-second. A whole login takes ${(loginCpuUs / floorUs).toFixed(1)} times that.`,
      "The bare library has its client in memory. The connector caches the client and stores the times of uses once a second.",
    ],
  };
}

async function logIn({ load }: BenchLogin): Promise<void> {
  await load.readUserinfo(await load.exchange(await load.obtainCode()));
}

async function measure<Given>(
  { child }: BenchLogin,
  given: readonly Given[],
  act: (given: Given) => Promise<unknown>,
): Promise<Round> {
  const before = await child.ask<number>("cpuMicros");
  const startedMs = performance.now();
  const { latenciesMs } = await inParallel(given.length, (index) => act(given[index] as Given));
  const seconds = (performance.now() - startedMs) / 1_000;
  const after = await child.ask<number>("cpuMicros");
  return { cpuUs: (after - before) / given.length, opsPerSecond: given.length / seconds, latenciesMs };
}

async function inParallel<Result>(count: number, act: (index: number) => Promise<Result>) {
  const results: Result[] = [];
  const latenciesMs: number[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < count) {
      const index = next;
      next += 1;
      const startedMs = performance.now();
      results.push(await act(index));
      latenciesMs.push(performance.now() - startedMs);
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, work));
  return { results, latenciesMs };
}

function measureCryptoFloor(count: number): number {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const data = Buffer.from("s".repeat(43));
  const before = process.threadCpuUsage();
  for (let index = 0; index < count; index += 1) {
    const signature = sign("sha256", data, privateKey);
    verify("sha256", data, publicKey, signature);
    verify("sha256", data, publicKey, signature);
  }
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / count;
}

function toFigures(name: string, rounds: readonly Round[]): Figures {
  const latencies = rounds.flatMap(({ latenciesMs }) => latenciesMs);
  return {
    name,
    opsPerSecond: median(rounds.map(({ opsPerSecond }) => opsPerSecond)),
    p50Ms: percentile(latencies, 0.5),
    p99Ms: percentile(latencies, 0.99),
    serviceCpuUs: median(rounds.map(({ cpuUs }) => cpuUs)),
    postgresCpuUs: Number.NaN,
    loadCpuUs: Number.NaN,
  };
}
