// npm run hostile -- [--seed n] [--only <service or part of an operation's name>] [--auth enforced|header] [--short]: see README.md.
import { randomInt } from "node:crypto";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startTemporaryPostgres } from "@dataspace/service-kit/storage/temporary-postgres";
import { LONG, SHORT } from "./extents.ts";
import { runHostile } from "./run-hostile.ts";

const AUTHS = ["enforced", "header"] as const;

const { values: options } = parseArgs({
  options: {
    seed: { type: "string" },
    only: { type: "string" },
    auth: { type: "string" },
    short: { type: "boolean", default: false },
  },
});
const seed = options.seed === undefined ? randomInt(2 ** 30) : Number(options.seed);
const auths = AUTHS.filter((auth) => options.auth === undefined || options.auth === auth);
if (!Number.isSafeInteger(seed) || auths.length === 0)
  throw new Error("--seed is a whole number, --auth enforced or header.");
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
