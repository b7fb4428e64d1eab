// `npm test`: the gate's static checks, then every test but the slow ones, which run too where CI is set.
// `npm test -- <file or pattern>...` runs only those files;
// DS_TEST_NAME runs only the tests whose names match it. The last line is always `N passed, N failed`.
import { globSync } from "node:fs";
import path from "node:path";
import { run } from "node:test";
import { spec } from "node:test/reporters";
import { collectFileFailures } from "./file-failures.ts";
import { runGate } from "./gate.ts";
import { useTestDirectory } from "./test-directory.ts";

type Counts = { passed: number; failed: number; skipped: number };

const root = path.dirname(import.meta.dirname);
const everyTest = ["{packages,apps,examples,system,tools,bench}/**/*.test.ts"];
/** Attacks, crashes, random schedules and whole installations: minutes each, so that the rest stays quick for people. */
const slowTests = [
  "apps/cli/spec/move.test.ts",
  "system/{crash,demo,hostile,oidc-harness,relying-parties,rolling-restart,soak,large}/**",
  "tools/{documents,packing}/**",
  "apps/vault/spec/{model,permissions}/**",
  "apps/vault/spec/two-processes.test.ts",
  "apps/vault/spec/import-fuzz.test.ts",
  "apps/vault/spec/ide-in-browser.test.ts",
  "apps/awareness/spec/simulation.test.ts",
  "packages/ui/src/gallery/gallery.test.ts",
  "system/stories/platforms-*.test.ts",
];

function findFiles(patterns: readonly string[], without: readonly string[] = []): string[] {
  const found = globSync(patterns, { cwd: root, exclude: ["**/node_modules/**", ...without] });
  return [...new Set(found)].sort().map((file) => path.join(root, file));
}

/** How many of the slowest files a run of more files names, so that a test that grows slow is seen. */
const SHOWN_SLOWEST = 25;

/** A hung file would block everything behind it, so each has a limit far above what any needs. */
const fileTimeoutMs = 10 * 60_000;

// Each file runs in its own process; all share the compile cache, and so do the services that they start.
process.env["NODE_COMPILE_CACHE"] ??= path.join(root, "node_modules/.cache/compiled");

/** One PostgreSQL for the whole run; each test creates a database on it. */
const globalSetupPath = path.join(root, "packages/service-kit/src/testing/test-server.ts");

async function runTests(files: readonly string[]): Promise<Counts> {
  const counts: Counts = { passed: 0, failed: 0, skipped: 0 };
  // More than the usual two cores: some tests wait for leases and timeouts.
  const testNamePatterns = process.env["DS_TEST_NAME"] || [];
  const options = { files, cwd: root, concurrency: 3, timeout: fileTimeoutMs, globalSetupPath, testNamePatterns };
  const events = run(options);
  const fileFailures = collectFileFailures(events);
  const durations: { readonly file: string; readonly seconds: number }[] = [];
  events.on("test:summary", (summary) => {
    if (summary.file !== undefined) {
      durations.push({ file: path.relative(root, summary.file), seconds: summary.duration_ms / 1_000 });
      return;
    }
    counts.passed = summary.counts.passed;
    counts.failed = summary.counts.tests - summary.counts.passed - summary.counts.skipped - summary.counts.todo;
    counts.skipped = summary.counts.skipped + summary.counts.todo;
  });
  // A file without tests passes as one test named after itself. It proves nothing, so it fails.
  const empty = new Set<string>();
  events.on("test:pass", ({ name, nesting, details }) => {
    if (nesting === 0 && details.type !== "suite" && files.includes(path.resolve(root, name))) empty.add(name);
  });
  for await (const text of events.compose(new spec())) process.stdout.write(text);
  for (const failure of fileFailures) console.log(failure);
  if (files.length > SHOWN_SLOWEST) showSlowest(durations);
  for (const file of empty) console.log(`no test in ${path.relative(root, file)}`);
  return { ...counts, passed: counts.passed - empty.size, failed: counts.failed + empty.size };
}

function showSlowest(durations: readonly { readonly file: string; readonly seconds: number }[]): void {
  const slowest = durations.toSorted((one, other) => other.seconds - one.seconds).slice(0, SHOWN_SLOWEST);
  console.log("slowest files:");
  for (const { file, seconds } of slowest) console.log(`${seconds.toFixed(1).padStart(8)} s  ${file}`);
}

useTestDirectory();

const patterns = process.argv.slice(2);
const checksHold = patterns.length > 0 || runGate();
const quick = () => findFiles(everyTest, process.env["CI"] ? [] : slowTests);
const files = checksHold ? (patterns.length > 0 ? findFiles(patterns) : quick()) : [];
const counts = files.length > 0 ? await runTests(files) : { passed: 0, failed: checksHold ? 0 : 1, skipped: 0 };
if (checksHold && counts.passed + counts.failed === 0) console.log(`no test ran (${files.length} files matched)`);
console.log(
  `${counts.passed} passed, ${counts.failed} failed${counts.skipped > 0 ? `, ${counts.skipped} skipped` : ""}`,
);
process.exitCode = counts.failed === 0 && counts.passed > 0 ? 0 : 1;
