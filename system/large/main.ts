// `npm run large`: an upgrade of a large table, and the export of a large vault. See README.md.
import { startTemporaryPostgres } from "@dataspace/service-kit/storage/temporary-postgres";
import { readCommandLine, readCount, refuseCommandLine, runToEnd } from "../command-line.ts";
import { runExport } from "./run-export.ts";
import { runUpgrade } from "./run-upgrade.ts";

const USAGE = `Usage: npm run large -- upgrade|export [options]

  upgrade  migrates a table of the vault while clients read and update it
  export   exports and verifies one vault, with a heap of 40 MB

  --records <n>  (default 5000000 for upgrade, 1000000 for export)`;

const RUNS = { upgrade: { run: runUpgrade, records: "5000000" }, export: { run: runExport, records: "1000000" } };

const { values, positionals } = readCommandLine(USAGE, {
  options: { records: { type: "string" } },
  allowPositionals: true,
});
const [what = ""] = positionals;
if (what !== "upgrade" && what !== "export") refuseCommandLine(USAGE, "Name upgrade or export.");
const { run, records: defaultRecords } = RUNS[what as keyof typeof RUNS];
const records = readCount(USAGE, { name: "records", text: values.records ?? defaultRecords });

await runToEnd(async () => {
  await using server = await startTemporaryPostgres();
  const url = await server.createDatabaseIfMissing("vault");
  const { faults, ...report } = await run({ records, url, say: (line) => console.log(line) });
  for (const [name, value] of Object.entries(report)) console.log(`${name}: ${value}`);
  for (const fault of faults) console.log(`FAULT ${fault}`);
  process.exitCode = faults.length === 0 ? 0 : 1;
}, "The database was a temporary one.");
