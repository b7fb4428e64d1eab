// What `.ci/run` runs: `npm test` on the embedded PostgreSQL, then the tests that use SQL again on an installed
// PostgreSQL from version 15 on. The last line is `N passed, N failed`, for both runs together.
import { spawn } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { startDebianPostgres } from "./debian-postgres.ts";
import { useTestDirectory } from "./test-directory.ts";

type Counts = { readonly passed: number; readonly failed: number; readonly skipped: number };
/** The counts of a run, and the output about its failures. */
type Outcome = Counts & { readonly failures: readonly string[] };

const root = path.dirname(import.meta.dirname);
const COUNTS = /^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/;
/**
 * The tests that reach every statement: what a database of another version could answer differently. The doors in front of them
 * have the same result on every database. `DATABASE_URL=... npm test` runs all tests on one.
 */
const WITH_DATABASE = [
  "packages/lanes/**/*.test.ts",
  "packages/adapter/src/{state,capture}/*.test.ts",
  "apps/vault/spec/model/*.test.ts",
  "apps/vault/spec/{access-policy-lists,binding-documents,history-and-logs,idempotency,paging,platform-access,rollback,search}.test.ts",
  "apps/awareness/spec/{deliveries,feed,ingest}.test.ts",
  "apps/{authority,provisioner,registry}/spec/*.test.ts",
];
/** The failures are at the end of a run's output: of a static check, or of tests, each repeated once. */
const FAILURES = /^failed {2}|^✖ failing tests:$/;
const IN_BROWSER = "@dataspace/ui/test-browser";

/** Runs `npm test`, prints its output, and holds its last line back. A run without that line has failed. */
async function npmTest(
  what: string,
  given: { readonly patterns: readonly string[]; readonly env: object },
): Promise<Outcome> {
  const env = { ...process.env, ...given.env };
  const child = spawn("npm", ["test", "--", ...given.patterns], {
    cwd: root,
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise<number>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve(code ?? 1));
  });
  let counts: Counts = { passed: 0, failed: 0, skipped: 0 };
  const failures: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    const found = COUNTS.exec(line);
    if (found !== null) {
      counts = { passed: Number(found[1]), failed: Number(found[2]), skipped: Number(found[3] ?? 0) };
      continue;
    }
    console.log(line);
    if (failures.length > 0 || FAILURES.test(line)) failures.push(line);
  }
  if ((await ended) !== 0 && counts.failed === 0) counts = { ...counts, failed: 1 };
  console.log(`${what}: ${toLine(counts)}`);
  return { ...counts, failures };
}

function toLine({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}

function findDatabaseTests(): readonly string[] {
  const found = globSync(WITH_DATABASE, { cwd: root, exclude: ["**/node_modules/**"] });
  return found.filter((file) => !readFileSync(path.join(root, file), "utf8").includes(IN_BROWSER));
}

useTestDirectory();

async function onDebian(): Promise<Outcome> {
  try {
    await using server = await startDebianPostgres();
    if (server !== undefined) {
      console.log(`Again on PostgreSQL ${server.version}, by DATABASE_URL.`);
      return await npmTest(`on PostgreSQL ${server.version}`, {
        patterns: findDatabaseTests(),
        // Random draws had their full extent in the first run.
        env: {
          DATABASE_URL: server.url,
          DS_MODEL_OPERATIONS: "1000",
        },
      });
    }
  } catch (error) {
    const { message } = error as Error;
    console.log(message);
    return { passed: 0, failed: 1, skipped: 0, failures: [message] };
  }
  console.log(
    "No PostgreSQL from 15 on is installed here (Debian: postgresql-15): the tests ran on the embedded one only.",
  );
  return { passed: 0, failed: 0, skipped: 0, failures: [] };
}

const embedded = await npmTest("on the embedded PostgreSQL", {
  patterns: [],
  // The long forms are documented beside each test; with these the whole run stays below 30 minutes.
  env: { DS_MODEL_OPERATIONS: "4000", DS_PERMISSION_OPERATIONS: "400", DS_SIMULATION_SCHEDULES: "50" },
});
const debian = await onDebian();
const both: Counts = {
  passed: embedded.passed + debian.passed,
  failed: embedded.failed + debian.failed,
  skipped: embedded.skipped + debian.skipped,
};
// By now the first run's failures are far above; print them again for readers of the end.
if (both.failed > 0) console.log([...embedded.failures, ...debian.failures].join("\n"));
if (both.skipped > 0) console.log(`${both.skipped} skipped, each with its reason above`);
console.log(`${both.passed} passed, ${both.failed} failed`);
process.exitCode = both.failed === 0 && both.passed > 0 ? 0 : 1;
