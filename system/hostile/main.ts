// `npm run hostile`: sends hostile requests to everything that is served. See README.md.
import { randomInt } from "node:crypto";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startTemporaryPostgres } from "@dataspace/service-kit/storage/temporary-postgres";
import { readCommandLine, readCount, refuseCommandLine } from "../command-line.ts";
import { LONG, SHORT } from "./extents.ts";
import { runHostile } from "./run-hostile.ts";

const AUTHS = ["enforced", "header"] as const;

const USAGE = `Usage: npm run hostile -- [options]

Sends hostile requests to every operation of every service, and checks the answers and the processes.

  --only <text>              one service, or operations whose name holds the text
  --auth enforced|header     one kind of authentication (default both)
  --short                    the extent of the short form
  --seed <n>                 repeats a run`;

const { values: options } = readCommandLine(USAGE, {
  options: {
    seed: { type: "string" },
    only: { type: "string" },
    auth: { type: "string" },
    short: { type: "boolean", default: false },
  },
});
const seed = options.seed === undefined ? randomInt(2 ** 30) : readCount(USAGE, { name: "seed", text: options.seed });
const auths = AUTHS.filter((auth) => options.auth === undefined || options.auth === auth);
if (auths.length === 0) refuseCommandLine(USAGE, `--auth is enforced or header, not ${JSON.stringify(options.auth)}.`);
const startedMs = performance.now();
const say = (line: string): void => {
  console.log(`${((performance.now() - startedMs) / 1_000).toFixed(0).padStart(6)} s  ${line}`);
};

await using server = await startTemporaryPostgres();
for (const auth of auths) {
  const directory = await mkdtemp(join(tmpdir(), "dataspace-hostile-"));
  say(`seed ${seed}, log in ${directory}`);
  const { operations, requests, faults } = await runHostile({
    seed,
    auth,
    extent: options.short ? SHORT : LONG,
    only: options.only,
    databaseUrl: await server.createDatabaseIfMissing(`hostile_${auth}`),
    directory,
    say,
  });
  for (const fault of faults) console.log(`FAULT ${fault}`);
  say(`${operations} operations, ${requests} requests, ${faults.length} faults; again with --seed ${seed}`);
  if (faults.length > 0) process.exitCode = 1;
}
