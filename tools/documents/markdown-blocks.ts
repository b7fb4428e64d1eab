import { readFileSync } from "node:fs";
import path from "node:path";

/** A fenced block of a page. `words` is what follows the language in its first line. */
export interface MarkdownBlock {
  readonly page: string;
  /** The line of the opening fence, from 1. */
  readonly line: number;
  readonly language: string;
  readonly words: string;
  readonly text: string;
}

/** What a page holds: its fenced blocks, and the lines at which a block begins that is only indented. */
export interface PageBlocks {
  readonly blocks: readonly MarkdownBlock[];
  readonly indentedAt: readonly number[];
}

const FENCE = /^ *(`{3,}|~{3,})(.*)$/;
const INDENTED = /^(?: {4}|\t)\S/;
const LIST_ITEM = /^ *(?:[-*+]|\d+\.) /;

/** Reads the code blocks of a page. In: its path from the root. Refuses: Error for a fence that is never closed. */
export function readBlocks(root: string, page: string): PageBlocks {
  const lines = readFileSync(path.join(root, page), "utf8").split("\n");
  const blocks: MarkdownBlock[] = [];
  const indentedAt: number[] = [];
  let inList = false;
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? "";
    const [, fence, info = ""] = FENCE.exec(line) ?? [];
    if (fence !== undefined) {
      const end = lines.findIndex((later, at) => at > index && later.trim() === fence);
      if (end === -1) throw new Error(`${page}:${index + 1} opens a block that is never closed`);
      blocks.push(toBlock({ page, line: index + 1, info, inside: lines.slice(index + 1, end) }));
      index = end;
    } else if (INDENTED.test(line) && lines[index - 1] === "" && !inList) indentedAt.push(index + 1);
    if (LIST_ITEM.test(line)) inList = true;
    else if (/^\S/.test(line)) inList = false;
  }
  return { blocks, indentedAt };
}

function toBlock(found: {
  readonly page: string;
  readonly line: number;
  readonly info: string;
  readonly inside: readonly string[];
}): MarkdownBlock {
  const [language = "", ...words] = found.info.trim().split(/\s+/);
  const indent = Math.min(...found.inside.filter((line) => line !== "").map((line) => line.search(/\S/)));
  const text = found.inside.map((line) => `${line.slice(indent)}\n`).join("");
  return { page: found.page, line: found.line, language, words: words.join(" "), text };
}
