import type { Payload } from "./vault-session.ts";

/** As much of a text as is made of JSON's own tokens, in whatever order. Source: RFC 8259. */
const TOKENS = /^(?:[\s{}[\],:]+|"(?:[^"\\\p{Cc}]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)*/u;

/** Reads a record's content as somebody typed it. Refuses: an Error that says where it is no JSON, or that it is no object. */
export function readContent(text: string): Payload {
  const value = parse(text);
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Payload;
  throw new Error('A record\'s content is fields in braces, such as { "title": "Hello" }. Nothing was saved.');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const [line, column] = placeOf(text, String(error));
    throw new Error(
      `This is not JSON at line ${line}, column ${column}. Look there for a comma, quotation mark or bracket too many or too few. Nothing was saved.`,
      { cause: error },
    );
  }
}

// Browsers tell the place of most faults, but not of a word that is none, nor of an end that comes too early.
function placeOf(text: string, told: string): readonly [line: number, column: number] {
  const [, line, column] = /line (\d+) column (\d+)/.exec(told) ?? [];
  if (line !== undefined) return [Number(line), Number(column)];
  const before = (TOKENS.exec(text)?.[0] ?? "").split("\n");
  return [before.length, (before.at(-1) ?? "").length + 1];
}
