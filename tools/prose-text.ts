// The prose of a file: what people read in it, without the code. Each piece has the line where it starts.
import { parseSync } from "oxc-parser";

/** `loose` text is a list of cases after a label such as "Refuses:"; a semicolon ends a sentence there. */
export type Piece = { readonly line: number; readonly text: string; readonly loose: boolean };

/** One identifier of a TypeScript file. */
export type Name = { readonly line: number; readonly name: string };

/** Paragraphs, list items, headings and table cells of a Markdown page; fenced code is left out. Refuses: never. */
export function readMarkdown(source: string): Piece[] {
  const blanked = source.replace(/^( *)(```|~~~)[\s\S]*?^\1\2.*$/gm, (block) => block.replace(/[^\n]/g, " "));
  const lines = blanked
    .split("\n")
    .flatMap((line, index) =>
      line.startsWith("|")
        ? line.split("|").map((cell) => ({ line: index + 1, text: isNameList(cell) ? "" : cell, starts: true }))
        : [{ line: index + 1, text: line, starts: /^\s*(?:[-*#>]|\d+\.|$| {4})/.test(line) }],
    );
  return joinLines(lines).map((piece) => ({ ...piece, text: piece.text.replace(/\]\([^)]*\)/g, "]") }));
}

/** Names separated by commas are no sentence, however many they are. */
function isNameList(cell: string): boolean {
  const names = cell.trim().split(", ");
  return names.length > 1 && names.every((name) => !name.includes(" "));
}

/** Comments and descriptions of a GraphQL schema. Refuses: never. */
export function readSchema(source: string): Piece[] {
  const found = source.matchAll(/"""([\s\S]*?)"""|"([^"\n]+)"|#([^\n]*)/g);
  return [...found].map((match) => piece(source, match.index, match[1] ?? match[2] ?? match[3] ?? ""));
}

/**
 * Comments, docstrings and sentences in the strings of a TypeScript file, and its identifiers. A line such as "Client ID: x" is a
 * sentence of its own. Refuses: never.
 */
export function readCode(file: string, source: string): { readonly pieces: Piece[]; readonly names: Name[] } {
  const { program, comments } = parseSync(file, source);
  const pieces = joinComments(source, comments).flatMap(readComment);
  const names: Name[] = [];
  visit(program, (node) => {
    if (node.type === "Identifier") names.push({ line: lineAt(source, node.start), name: String(node["name"]) });
    const text = stringOf(node);
    if (text !== null && isSentence(text))
      pieces.push(piece(source, node.start, text.replace(/<[^>]*>|\n\s*\n|\n(?=[A-Z][\w -]*: )/g, " ; ")));
  });
  return { pieces, names };
}

type Node = { readonly type: string; readonly start: number; readonly [member: string]: unknown };
type Comment = { readonly start: number; readonly text: string };

function visit(node: unknown, see: (node: Node) => void): void {
  if (node === null || typeof node !== "object") return;
  if ("type" in node && "start" in node) see(node as Node);
  for (const child of Object.values(node)) visit(child, see);
}

function stringOf(node: Node): string | null {
  if (node.type === "Literal" && typeof node["value"] === "string") return node["value"];
  if (node.type !== "TemplateLiteral") return null;
  const parts = node["quasis"] as readonly { value: { cooked: string } }[];
  return parts.map((part) => part.value.cooked).join("`x`");
}

const sql =
  /\b(?:select|insert into|update \w+|delete from|create (?:table|index|unique|function)|alter table|where|begin)\b/;

/** Four words or more, and neither SQL, GraphQL nor code. */
function isSentence(text: string): boolean {
  return /(?:[A-Za-z,]+ ){3}[A-Za-z]/.test(text) && !sql.test(text) && !/[{};]\s*\n|=>|\{ \w/.test(text);
}

/** Line comments on adjacent lines are one text. */
function joinComments(
  source: string,
  comments: readonly { type: string; value: string; start: number; end: number }[],
) {
  const joined: (Comment & { end: number; isLine: boolean })[] = [];
  for (const { type, value, start, end } of comments) {
    const last = joined.at(-1);
    const isLine = type === "Line";
    if (isLine && last?.isLine && /^\n[ \t]*$/.test(source.slice(last.end, start))) {
      joined[joined.length - 1] = { ...last, end, text: `${last.text}\n${value}` };
    } else joined.push({ start: lineAt(source, start), end, isLine, text: value });
  }
  return joined;
}

function readComment({ start, text }: Comment): Piece[] {
  if (/^\s*(?:biome-ignore|@ts-|eslint)/.test(text)) return [];
  const lines = text.split("\n").map((line, index) => {
    const words = line.replace(/^\s*\*+ ?/, "");
    return { line: start + index, text: words, starts: /^\s*(?:[-*|]|\d+\.|[A-Z]\w+:|$)/.test(words) };
  });
  return joinLines(lines);
}

function joinLines(lines: readonly { line: number; text: string; starts: boolean }[]): Piece[] {
  const pieces: { line: number; text: string; loose: boolean }[] = [];
  for (const { line, text, starts } of lines) {
    const last = pieces.at(-1);
    if (last === undefined || starts || last.text === "")
      pieces.push({ line, text: text.trim(), loose: /^\s*[A-Z]\w+:/.test(text) });
    else last.text = `${last.text} ${text.trim()}`;
  }
  return pieces.filter(({ text }) => text !== "");
}

function piece(source: string, offset: number, text: string): Piece {
  return { line: lineAt(source, offset), text: text.replace(/\s+/g, " ").trim(), loose: false };
}

function lineAt(source: string, offset: number): number {
  return source.slice(0, offset).split("\n").length;
}
