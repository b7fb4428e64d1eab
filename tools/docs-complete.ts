// Every export of packages/*/src, apps/*/src and examples/*/src has a docstring directly above it. Tests are left out.
import { globSync, readFileSync } from "node:fs";
import path from "node:path";

const root = path.dirname(import.meta.dirname);
const declaration =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:function\*?|const|let|class|interface|type) (\w+)/;

function findFaults(file: string): string[] {
  const lines = readFileSync(path.join(root, file), "utf8").split("\n");
  return lines.flatMap((line, index) => {
    const where = `${file}:${index + 1}`;
    if (/^export (?:type )?\{/.test(line))
      return [`${where} exports a list; export at the declaration, under its docstring`];
    const name = declaration.exec(line)?.[1];
    if (name === undefined || isDocumented(lines, index) || isOverload(lines, index, name)) return [];
    return [`${where} ${name} has no docstring directly above it`];
  });
}

function isDocumented(lines: readonly string[], index: number): boolean {
  if (!lines[index - 1]?.trim().endsWith("*/")) return false;
  const opening = lines.slice(0, index).findLastIndex((line) => line.trimStart().startsWith("/*"));
  const text = lines.slice(opening, index).join(" ");
  return text.startsWith("/**") && /\w{2}/.test(text);
}

/** The docstring of an overloaded function is above its first signature. */
function isOverload(lines: readonly string[], index: number, name: string): boolean {
  const before = lines.slice(0, index).findLastIndex((line) => declaration.test(line));
  return declaration.exec(lines[before] ?? "")?.[1] === name;
}

const files = globSync("{packages,apps,examples}/*/src/**/*.ts", {
  cwd: root,
  exclude: ["**/node_modules/**", "**/*.test.ts"],
});
const faults = files.sort().flatMap(findFaults);
for (const fault of faults) console.log(fault);
if (faults.length > 0) process.exitCode = 1;
