// The prose check: no banned word and no sentence above 35 words in docs, comments, messages, page texts and test names.
// `node tools/prose.ts <path>...` checks these paths, whether they are on the list of clean ones or not.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { type Name, type Piece, readCode, readMarkdown, readSchema } from "./prose-text.ts";
import { bannedNames, bannedWords } from "./prose-words.ts";

const root = path.dirname(import.meta.dirname);
const mostWords = 35;

/** Directories and files whose prose is clean. The list grows until it is the whole repository. */
const clean = [
  "*.md",
  "apps/*/src",
  "apps/cli",
  "apps/login",
  "apps/provisioner",
  "apps/registry",
  "apps/sandbox",
  "bench",
  "docs",
  "examples",
  "packages/access",
  "packages/clients",
  "packages/lanes",
  "packages/protocol",
  "packages/receiver",
  "packages/service-kit",
  "packages/ui",
  "packages/wallet",
  "scripts",
  "system",
  "tools",
  "vectors",
];

const exempt = new Set(["tools/prose-words.ts", "LICENSE"]);

function findFaults(file: string): string[] {
  const source = readFileSync(path.join(root, file), "utf8");
  if (file.endsWith(".md")) return readMarkdown(source).flatMap((piece) => faultsOf(file, piece));
  if (file.endsWith(".graphql")) return readSchema(source).flatMap((piece) => faultsOf(file, piece));
  const { pieces, names } = readCode(file, source);
  return [...pieces.flatMap((piece) => faultsOf(file, piece)), ...names.flatMap((name) => faultsOfName(file, name))];
}

function faultsOf(file: string, { line, text, loose }: Piece): string[] {
  const prose = text.replace(/``[^`]*``|`[^`]*`/g, "X");
  const words = bannedWords.flatMap(({ pattern, instead }) => {
    const found = pattern.exec(prose);
    return found === null ? [] : [`${file}:${line} "${found[0]}": write ${instead}`];
  });
  return [...words, ...longSentences(prose, loose).map((sentence) => `${file}:${line} ${sentence}`)];
}

function longSentences(prose: string, loose: boolean): string[] {
  const ends = loose ? /[.!?:;,]["')*_]*\s+/ : /[.!?]["')*_]*\s+| ; /;
  return prose.split(ends).flatMap((sentence) => {
    const words = sentence.split(/\s+/).filter((word) => /\w/.test(word)).length;
    return words > mostWords ? [`${words} words: ${sentence.slice(0, 80)}...`] : [];
  });
}

function faultsOfName(file: string, { line, name }: Name): string[] {
  const banned = name.match(/[A-Z]?[a-z]+/g)?.find((part) => bannedNames.has(part.toLowerCase()));
  return banned === undefined ? [] : [`${file}:${line} the name ${name} holds "${banned}"`];
}

const paths = process.argv.slice(2);
const files = execFileSync("git", ["ls-files", "--", ...(paths.length > 0 ? paths : clean)], {
  cwd: root,
  encoding: "utf8",
})
  .split("\n")
  .filter((file) => /\.(?:ts|tsx|md|graphql|mjs)$/.test(file) && !exempt.has(file));
const faults = [...new Set(files.flatMap(findFaults))];
for (const fault of faults) console.log(fault);
if (faults.length > 0) process.exitCode = 1;
