// Lists which numbered statements of docs/requirements a test cites as [V-ACC-001]. Fails on a cited number that no
// document has and on a number that occurs twice. `--missing V-ACC` (or any beginning of a number) lists what no test
// cites.
import { globSync, readFileSync } from "node:fs";
import path from "node:path";

type Statement = { readonly id: string; readonly document: string; readonly section: string; readonly text: string };

const root = path.dirname(import.meta.dirname);
const read = (file: string): string => readFileSync(path.join(root, file), "utf8");

function readStatements(file: string): Statement[] {
  let section = "";
  return read(file)
    .split("\n")
    .flatMap((line) => {
      section = /^#{2,} (.+)/.exec(line)?.[1] ?? section;
      const [, id, text] = /^- \*\*([VLP]-[A-Z0-9]+-\d+)\*\* (.*)/.exec(line) ?? [];
      return id === undefined || text === undefined ? [] : [{ id, document: path.basename(file), section, text }];
    });
}

function readCitations(): Map<string, string> {
  // Tests of shared promises that several files run are named where they are defined.
  const tests = globSync(
    ["{packages,apps,examples,system,tools,bench}/**/*.test.ts", "apps/*/spec/support/*-promises.ts"],
    {
      cwd: root,
      exclude: ["**/node_modules"],
    },
  );
  const cited = tests.flatMap((file) =>
    (read(file).match(/\[[VLP]-[A-Z0-9]+-\d+(?:,? [VLP]-[A-Z0-9]+-\d+)*\]/g) ?? [])
      .flatMap((bracket) => bracket.slice(1, -1).split(/,? /))
      .map((id) => [id, file] as const),
  );
  return new Map(cited);
}

function printCoverage(statements: readonly Statement[], cited: ReadonlyMap<string, string>): void {
  for (const [document, all = []] of Object.entries(Object.groupBy(statements, (it) => it.document))) {
    console.log(`${document}  ${share(all, cited)}`);
    for (const [section, some = []] of Object.entries(Object.groupBy(all, (it) => it.section))) {
      console.log(`  ${share(some, cited).padEnd(18)} ${section}`);
    }
  }
}

function share(statements: readonly Statement[], cited: ReadonlyMap<string, string>): string {
  const count = statements.filter(({ id }) => cited.has(id)).length;
  return `${count}/${statements.length} (${Math.round((100 * count) / statements.length)} %)`;
}

const statements = globSync("docs/requirements/*.md", { cwd: root }).sort().flatMap(readStatements);
const cited = readCitations();
const known = new Set(statements.map(({ id }) => id));
const faults = [
  ...statements
    .filter(({ id }, index) => statements.findIndex((it) => it.id === id) !== index)
    .map(({ id, document }) => `${document}: ${id} is given twice`),
  ...[...cited].filter(([id]) => !known.has(id)).map(([id, file]) => `${file} cites ${id}, which no document has`),
];
const missingAt = process.argv.indexOf("--missing");
if (missingAt > 0) {
  const beginning = process.argv[missingAt + 1] ?? "";
  const missing = statements.filter(({ id }) => id.startsWith(beginning) && !cited.has(id));
  for (const { id, text } of missing) console.log(`${id}  ${text}`);
  console.log(`${missing.length} not cited`);
} else {
  printCoverage(statements, cited);
}
for (const fault of faults) console.log(fault);
if (faults.length > 0) process.exitCode = 1;
