// Every step of a page in docs/walks names a file and a function that exist.
import { existsSync, globSync, readFileSync } from "node:fs";
import path from "node:path";
import { findWalkFaults } from "./walk-steps.ts";

const root = path.dirname(import.meta.dirname);

function readSource(file: string): string | undefined {
  const full = path.join(root, file);
  return existsSync(full) ? readFileSync(full, "utf8") : undefined;
}

const faults = globSync("docs/walks/*.md", { cwd: root })
  .sort()
  .flatMap((page) => findWalkFaults(page, readSource(page) ?? "", readSource));
for (const fault of faults) console.log(fault);
if (faults.length > 0) process.exitCode = 1;
