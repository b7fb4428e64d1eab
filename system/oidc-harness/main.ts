// npm run harness -- [--write]: runs every module against the login connector and the control, then every mutant. See README.md.
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { loginMigrations } from "@dataspace/login/migrations";
import { openTestDatabase } from "@dataspace/service-kit/testing/test-database";
import { CONFORMANCE_PAGE, toConformancePage } from "./conformance-page.ts";
import { DEVIATIONS } from "./deviations.ts";
import { MUTANTS } from "./mutants/mutants.ts";
import { runMutant } from "./mutants/run-mutant.ts";
import { runHarness } from "./run-harness.ts";

const { values: options } = parseArgs({ options: { write: { type: "boolean", default: false } } });
const allowed = new Set(DEVIATIONS.flatMap(({ modules }) => modules));
let faults = 0;

await using database = await openTestDatabase(undefined, loginMigrations);
const { ours, stock } = await runHarness(database);
for (const [name, outcome] of ours) {
  const isFault = outcome.kind === "failed" && !allowed.has(name);
  if (isFault) faults += 1;
  console.log(
    `${isFault ? "FAULT  " : ""}${outcome.kind.padEnd(8)}${name}${"text" in outcome ? `: ${outcome.text}` : ""}`,
  );
}
for (const mutant of MUTANTS) {
  for (const [name, { kind }] of await runMutant(database, mutant)) {
    const isFault = kind === "passed" || kind === "skipped";
    if (isFault) faults += 1;
    console.log(`${isFault ? "FAULT  missed  " : "caught  "}a provider that ${mutant.does}: ${name}`);
  }
}
if (options.write) writeFileSync(CONFORMANCE_PAGE, toConformancePage(ours, stock));
console.log(`${ours.size} modules, ${MUTANTS.length} mutants, ${faults} faults`);
if (faults > 0) process.exitCode = 1;
