// Every file that a page of docs/walks names in backticks, as a path from the root, exists: walks age first.
import { existsSync, globSync, readFileSync } from "node:fs";
import path from "node:path";

const root = path.dirname(import.meta.dirname);
const named = /`([\w@.-]+(?:\/[\w@.-]+)+\.\w+)`/g;

const faults = globSync("docs/walks/*.md", { cwd: root }).flatMap((page) =>
  [...readFileSync(path.join(root, page), "utf8").matchAll(named)]
    .map((match) => match[1] ?? "")
    .filter((file) => !existsSync(path.join(root, file)))
    .map((file) => `${page} names ${file}, which does not exist`),
);
for (const fault of faults) console.log(fault);
if (faults.length > 0) process.exitCode = 1;
