// `npm run soak`: load at half of the capacity, with a fault at each interval. See README.md.
import { randomInt } from "node:crypto";
import { mkdir, mkdtemp, readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { startTemporaryPostgres } from "@dataspace/service-kit/storage/temporary-postgres";
import { readCommandLine, readCount, refuseCommandLine, runToEnd } from "../command-line.ts";
import { runSoak } from "./run-soak.ts";

const USAGE = `Usage: npm run soak -- [options]

Writes and reads at half of the measured capacity, causes faults, and compares what was written with what arrived.

  --seconds <n>      of load (default 60)
  --fault-every <n>  seconds (default 10)
  --speed <n>        how much faster the services' clock runs (default 1)
  --seed <n>         repeats the order of the faults
  --directory <path> an empty directory for the logs (default a temporary one)`;

const { values: options } = readCommandLine(USAGE, {
  options: {
    seconds: { type: "string", default: "60" },
    "fault-every": { type: "string", default: "10" },
    speed: { type: "string", default: "1" },
    seed: { type: "string" },
    directory: { type: "string" },
  },
});
const count = (name: string, text: string): number => readCount(USAGE, { name, text });
const seed = options.seed === undefined ? randomInt(2 ** 30) : count("seed", options.seed);
const seconds = count("seconds", options.seconds);
const faultEveryMs = Math.max(1, count("fault-every", options["fault-every"])) * 1_000;
const speed = Math.max(1, count("speed", options.speed));
const directory = await makeDirectory(options.directory);
const startedMs = performance.now();
const say = (line: string): void => {
  console.log(`${((performance.now() - startedMs) / 1000).toFixed(0).padStart(6)} s  ${line}`);
};

say(`seed ${seed}, logs in ${directory}`);
await runToEnd(soak, `The logs are in ${directory}; --seed ${seed} repeats the order of the faults.`);

async function soak(): Promise<void> {
  await using server = await startTemporaryPostgres();
  const { judged, faults, faultCount, ...report } = await runSoak({
    seed,
    capacityMs: 5_000,
    loadMs: seconds * 1_000,
    faultEveryMs,
    speed,
    directory,
    urls: {
      vault: await server.createDatabaseIfMissing("vault"),
      awareness: await server.createDatabaseIfMissing("awareness"),
    },
    // The signal of `pg_ctl stop -m immediate`; the server is then started again and recovers.
    stopDatabase: () => void process.kill(server.pid, "SIGQUIT"),
    say,
  });
  for (const [name, value] of Object.entries({ ...report, ...judged }))
    console.log(`${name}: ${JSON.stringify(value)}`);
  for (const fault of faults) console.log(`FAULT ${fault}`);
  console.log(faultCount === 0 ? "No fault." : `${faultCount} faults.`);
  process.exitCode = faultCount === 0 ? 0 : 1;
}

async function makeDirectory(given: string | undefined): Promise<string> {
  if (given === undefined) return mkdtemp(join(tmpdir(), "dataspace-soak-"));
  await mkdir(given, { recursive: true });
  if ((await readdir(given)).length > 0) refuseCommandLine(USAGE, `--directory ${given} is not empty; name another.`);
  return resolve(given);
}
