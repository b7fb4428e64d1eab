// Every decision, threat and fault that code or a page cites is a heading or a table row in docs/decisions.
import { execFileSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import path from "node:path";

const root = path.dirname(import.meta.dirname);
const read = (file: string) => readFileSync(path.join(root, file), "utf8");

/** `decision V13`, `decisions E1, E2 and V3`, `[decision V13]`, `[V13]`. */
const decisionList = /\b[Dd]ecisions? ((?:[A-Z]\d{1,2}(?:, | and )?)+)/g;
const bracketed = /\[([PIVELAX]\d{1,2})\]/g;
const threat = /\b(?:T-\d[0-9A-F]|F-\d\d)\b/g;
/** Design notes that are not part of this repository. */
const elsewhere = /\b(?:reliability|trust|storage|events|login|ecosystem|stack|architecture)\.md`? ?(?:[A-Z]\.?)?\d/;

const pages = globSync("docs/decisions/*.md", { cwd: root });
const known = new Set(
  pages.flatMap((page) => [
    ...[...read(page).matchAll(/^## ([A-Z]\d{1,2})$/gm)].map((match) => match[1]),
    ...[...read(page).matchAll(/^\| ([TFG]-?\d[0-9A-F]?) \|/gm)].map((match) => match[1]),
  ]),
);

function citedIn(line: string): string[] {
  const lists = [...line.matchAll(decisionList)].flatMap((match) => (match[1] ?? "").match(/[A-Z]\d{1,2}/g) ?? []);
  const others = [...line.matchAll(bracketed)].map((match) => match[1] ?? "");
  return [...lists, ...others, ...(line.match(threat) ?? [])];
}

const files = execFileSync("git", ["ls-files", "*.ts", "*.md", "*.sql", "*.graphql", "*.mjs"], {
  cwd: root,
  encoding: "utf8",
})
  .split("\n")
  .filter((file) => file !== "" && file !== "tools/citations.ts");
const faults = files.flatMap((file) =>
  read(file)
    .split("\n")
    .flatMap((line, index) => {
      const where = `${file}:${index + 1}`;
      const unknown = citedIn(line).filter((number) => !known.has(number));
      const outside = file.startsWith("docs/decisions/") ? null : elsewhere.exec(line);
      return [
        ...unknown.map((number) => `${where} cites ${number}, which no page of docs/decisions has`),
        ...(outside === null ? [] : [`${where} cites ${outside[0]}, a page that this repository does not have`]),
      ];
    }),
);
for (const fault of faults) console.log(fault);
if (faults.length > 0) process.exitCode = 1;
