// Every code block of every page has a language and is run by a test, or says why not; and no page tells a reader to start
// TypeScript with a Node that cannot run it.
import { readFileSync } from "node:fs";
import path from "node:path";
import { findBareCommands, findBlockFaults } from "./block-rules.ts";
import { readBlocks } from "./markdown-blocks.ts";
import { listPages } from "./pages.ts";

const root = path.resolve(import.meta.dirname, "../..");
const faults = listPages(root).flatMap((page) => {
  const { blocks, indentedAt } = readBlocks(root, page);
  return [
    ...blocks.flatMap(findBlockFaults),
    ...indentedAt.map((line) => `${page}:${line} is a block by its indent alone; fence it and name its language`),
    ...findBareCommands(page, readFileSync(path.join(root, page), "utf8")),
  ];
});
for (const fault of faults) console.log(fault);
if (faults.length > 0) process.exitCode = 1;
