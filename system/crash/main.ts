// `npm run crash`: kills processes of the data space while an event is on its way. See README.md.
import { randomInt } from "node:crypto";
import { mkdir, mkdtemp, readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { startTemporaryPostgres } from "@dataspace/service-kit/storage/temporary-postgres";
import { readCommandLine, readCount, refuseCommandLine, runToEnd } from "../command-line.ts";
import { findNoNamespace, runRestarts } from "./restarts.ts";
import { type CrashReport, runCrash } from "./run-crash.ts";
import { KILLS_A_ROUND } from "./schedule.ts";
import { STEPS } from "./steps.ts";

const USAGE = `Usage: npm run crash -- [options]

Kills services at every step of an event's way, and compares what was written with what arrived.

  --events <n>          writes (default 1000000)
  --kills <n>           kills of a service (default 200)
  --database-stops <n>  stops of the database (default 10)
  --speed <n>           how much faster the services' clock runs (default 4)
  --restarts <n>        instead: kills the whole stack n times at random moments
  --seed <n>            repeats a run
  --directory <path>    an empty directory for the logs (default a temporary one)`;

const { values: options } = readCommandLine(USAGE, {
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
const count = (name: string, text: string): number => readCount(USAGE, { name, text });
const seed = options.seed === undefined ? randomInt(2 ** 30) : count("seed", options.seed);
const counts = {
  events: count("events", options.events),
  kills: count("kills", options.kills),
  databaseStops: count("database-stops", options["database-stops"]),
  speed: count("speed", options.speed),
  restarts: options.restarts === undefined ? undefined : count("restarts", options.restarts),
};
const directory = await makeDirectory(options.directory);
const startedMs = performance.now();
const say = (line: string): void => {
  console.log(`${((performance.now() - startedMs) / 1000).toFixed(0).padStart(6)} s  ${line}`);
};

say(`seed ${seed}, logs in ${directory}`);
const { restarts } = counts;
const work = restarts === undefined ? attackSteps : () => restart(restarts);
await runToEnd(work, `The logs are in ${directory}; --seed ${seed} repeats the run.`);

async function restart(kills: number): Promise<void> {
  const reason = findNoNamespace();
  if (reason !== undefined) return say(`skipped: ${reason}`);
  const { faults, ...totals } = await runRestarts({ kills, seed, directory }, say);
  tellCounts(totals, faults, faults.length);
}

async function attackSteps(): Promise<void> {
  await using server = await startTemporaryPostgres();
  const report = await runCrash({
    seed,
    events: counts.events,
    rounds: Math.ceil(counts.kills / KILLS_A_ROUND),
    databaseStops: counts.databaseStops,
    restMs: 0,
    speed: Math.max(1, counts.speed),
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
  if ((await readdir(given)).length > 0) refuseCommandLine(USAGE, `--directory ${given} is not empty; name another.`);
  return resolve(given);
}

function tell({ faults, faultCount, reached, ...totals }: CrashReport): void {
  for (const { name } of STEPS) console.log(`  ${String(reached[name] ?? 0).padStart(4)} x ${name}`);
  tellCounts(totals, faults, faultCount);
}

function tellCounts(totals: object, faults: readonly string[], faultCount: number): void {
  for (const [name, count] of Object.entries(totals)) console.log(`${name}: ${count}`);
  for (const fault of faults) console.log(`FAULT ${fault}`);
  console.log(faultCount === 0 ? "No fault." : `${faultCount} faults.`);
  process.exitCode = faultCount === 0 ? 0 : 1;
}
