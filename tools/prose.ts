// The prose check: no banned word and no sentence above 35 words in docs, comments, messages, page texts and test names.
// `node tools/prose.ts <path>...` checks only these paths, also those that are not checked yet.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { type Name, type Piece, readCode, readMarkdown, readSchema } from "./prose-text.ts";
import { bannedNames, bannedWords } from "./prose-words.ts";

const root = path.dirname(import.meta.dirname);
const mostWords = 35;

/** Directories whose prose is still to be rewritten, such as `packages/new-one/`. They are checked only when named. */
const notYet: readonly string[] = [];

const exempt = new Set(["tools/prose-words.ts", "LICENSE"]);

function findFaults(file: string): string[] {
  const source = readFileSync(path.join(root, file), "utf8");
  if (file.endsWith(".md")) return readMarkdown(source).flatMap((piece) => faultsOf(file, piece));
  if (file.endsWith(".graphql")) return readSchema(source).flatMap((piece) => faultsOf(file, piece));
  const { pieces, names } = readCode(file, source);
  return [...pieces.flatMap((piece) => faultsOf(file, piece)), ...names.flatMap((name) => faultsOfName(file, name))];
}

function faultsOf(file: string, { line, text, loose }: Piece): string[] {
  // Code counts as one word; the numbers of requirements that a test name cites do not count.
  const prose = text.replace(/``[^`]*``|`[^`]*`/g, "X").replace(/\[[A-Z]+-[A-Z]*-?\d+\]/g, "");
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
const files = execFileSync("git", ["ls-files", "--", ...paths], {
  cwd: root,
  encoding: "utf8",
})
  .split("\n")
  .filter((file) => /\.(?:ts|tsx|md|graphql|mjs)$/.test(file) && !exempt.has(file))
  .filter((file) => paths.length > 0 || !notYet.some((directory) => file.startsWith(directory)));
const faults = [...new Set(files.flatMap(findFaults))];
for (const fault of faults) console.log(fault);
if (faults.length > 0) process.exitCode = 1;
