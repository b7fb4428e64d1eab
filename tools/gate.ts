// The gate's steps in order, fastest check first. A check that is not a step here is never run.
import { spawnSync } from "node:child_process";
import path from "node:path";

type Step = { readonly name: string; readonly script: string; readonly args: readonly string[] };

const steps: readonly Step[] = [
  { name: "biome check", script: "node_modules/@biomejs/biome/bin/biome", args: ["check", "--error-on-warnings"] },
  { name: "tsc --noEmit", script: "node_modules/typescript/bin/tsc", args: ["--noEmit"] },
  {
    name: "tsc of browser scripts",
    script: "node_modules/typescript/bin/tsc",
    args: ["--noEmit", "--project", "packages/ui/browser"],
  },
  {
    name: "tsc of the IDE's scripts",
    script: "node_modules/typescript/bin/tsc",
    args: ["--noEmit", "--project", "apps/vault/src/ide/browser"],
  },
  {
    name: "tsc of the sandbox",
    script: "node_modules/typescript/bin/tsc",
    args: ["--noEmit", "--project", "apps/sandbox/browser"],
  },
  { name: "rooms", script: "tools/rooms.ts", args: ["--check"] },
  { name: "docs-complete", script: "tools/docs-complete.ts", args: [] },
  { name: "lock-rules", script: "tools/lock-rules.ts", args: [] },
  { name: "requirement-coverage", script: "tools/requirement-coverage.ts", args: [] },
  { name: "error-page", script: "tools/error-page.ts", args: [] },
  { name: "settings-page", script: "system/settings-page.ts", args: [] },
  { name: "citations", script: "tools/citations.ts", args: [] },
  { name: "linear-regexes", script: "tools/linear-regexes.ts", args: [] },
  { name: "dependency-objects", script: "tools/dependency-objects.ts", args: [] },
  { name: "code blocks", script: "tools/documents/check.ts", args: [] },
  { name: "walk-links", script: "tools/walk-links.ts", args: [] },
  { name: "prose", script: "tools/prose.ts", args: [] },
  { name: "knip", script: "node_modules/knip/bin/knip.js", args: ["--no-progress"] },
];

const root = path.dirname(import.meta.dirname);

/** Runs the static checks in order, stops at the first that fails and prints its output. Out: whether all passed. */
export function runGate(): boolean {
  for (const step of steps) {
    const startedAt = performance.now();
    const { status, stdout, stderr } = spawnSync(process.execPath, [path.join(root, step.script), ...step.args], {
      cwd: root,
      encoding: "utf8",
      maxBuffer: 64 * 1024 * 1024,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    if (status !== 0) {
      process.stdout.write(`${stdout}${stderr}`);
      console.log(`failed  ${step.name}  ${seconds} s`);
      return false;
    }
    console.log(`ok  ${step.name}  ${seconds} s`);
  }
  return true;
}
