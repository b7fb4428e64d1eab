// npm run crash -- --restarts 500 [--seed n] [--directory path]: see README.md.
// npm run crash -- [--events 1000000] [--kills 200] [--database-stops 10] [--speed 4] [--seed n] [--directory path]: see README.md.
import { randomInt } from "node:crypto";
import { mkdir, mkdtemp, readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { startTemporaryPostgres } from "@dataspace/service-kit/storage/temporary-postgres";
import { findNoNamespace, runRestarts } from "./restarts.ts";
import { type CrashReport, runCrash } from "./run-crash.ts";
import { KILLS_A_ROUND } from "./schedule.ts";
import { STEPS } from "./steps.ts";

const { values: options } = parseArgs({
  options: {
    events: { type: "string", default: "1000000" },
    kills: { type: "string", default: "200" },
    "database-stops": { type: "string", default: "10" },
    speed: { type: "string", default: "4" },
    seed: { type: "string" },
    directory: { type: "string" },
    restarts: { type: "string" },
  },
});
const seed = options.seed === undefined ? randomInt(2 ** 30) : readCount("seed", options.seed);
const directory = await makeDirectory(options.directory);
const startedMs = performance.now();
const say = (line: string): void => {
  console.log(`${((performance.now() - startedMs) / 1000).toFixed(0).padStart(6)} s  ${line}`);
};

say(`seed ${seed}, logs in ${directory}`);
if (options.restarts === undefined) await attackSteps();
else await restart(readCount("restarts", options.restarts));

async function restart(kills: number): Promise<void> {
  const reason = findNoNamespace();
  if (reason !== undefined) return say(`skipped: ${reason}`);
  const { faults, ...counts } = await runRestarts({ kills, seed, directory }, say);
  tellCounts(counts, faults, faults.length);
}

async function attackSteps(): Promise<void> {
  await using server = await startTemporaryPostgres();
  const report = await runCrash({
    seed,
    events: readCount("events", options.events),
    rounds: Math.ceil(readCount("kills", options.kills) / KILLS_A_ROUND),
    databaseStops: readCount("database-stops", options["database-stops"]),
    restMs: 0,
    speed: Math.max(1, readCount("speed", options.speed)),
    directory,
    urls: {
      vault: await server.createDatabaseIfMissing("vault"),
      awareness: await server.createDatabaseIfMissing("awareness"),
    },
    // The signal of `pg_ctl stop -m immediate`; the server is then started again and recovers.
    stopDatabase: () => void process.kill(server.pid, "SIGQUIT"),
    say,
  });
  tell(report);
}

async function makeDirectory(given: string | undefined): Promise<string> {
  if (given === undefined) return mkdtemp(join(tmpdir(), "dataspace-crash-"));
  await mkdir(given, { recursive: true });
  if ((await readdir(given)).length > 0) throw new Error(`--directory ${given} is not empty; name another.`);
  return resolve(given);
}

function readCount(name: string, text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new Error(`--${name} is a whole number, not ${JSON.stringify(text)}.`);
  return Number(text);
}

function tell({ faults, faultCount, reached, ...counts }: CrashReport): void {
  for (const { name } of STEPS) console.log(`  ${String(reached[name] ?? 0).padStart(4)} x ${name}`);
  tellCounts(counts, faults, faultCount);
}

function tellCounts(counts: object, faults: readonly string[], faultCount: number): void {
  for (const [name, count] of Object.entries(counts)) console.log(`${name}: ${count}`);
  for (const fault of faults) console.log(`FAULT ${fault}`);
  console.log(faultCount === 0 ? "No fault." : `${faultCount} faults.`);
  process.exitCode = faultCount === 0 ? 0 : 1;
}
