// `npm run pack`: packs every published package into `build/packages`, or into the directory that is given.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import path from "node:path";
import { PUBLISHED } from "./published.ts";
import { packPackages, stagePackage } from "./stage.ts";

const root = path.resolve(import.meta.dirname, "../..");
const build = path.join(root, "build");
const target = path.resolve(process.argv[2] ?? path.join(build, "packages"));

mkdirSync(build, { recursive: true });
const directory = mkdtempSync(path.join(build, "stage-"));
try {
  const staged = PUBLISHED.map((name) => stagePackage({ root, directory }, name));
  for (const file of packPackages(staged, target)) console.log(file);
} finally {
  rmSync(directory, { recursive: true });
}
