import type { Payload } from "./record.ts";
import { RECORD_TEXTS } from "./record-texts.ts";

/** One JSON token, or white space. Source: RFC 8259. */
const TOKEN = /\s|[{}[\],:]|"(?:[^"\\\n\r\t]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/**
 * Parses a record's content as typed. Refuses: an Error that says where it is not JSON, or that it is not an object.
 */
export function readContent(text: string): Payload {
  const value = parse(text);
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Payload;
  throw new Error(RECORD_TEXTS.noObject);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const [line, column] = placeOf(text, String(error));
    throw new Error(RECORD_TEXTS.noJson(line, column), { cause: error });
  }
}

// Browsers report the place of most faults, but not of an unknown word or a premature end.
function placeOf(text: string, message: string): readonly [line: number, column: number] {
  const [, line, column] = /line (\d{1,9}) column (\d{1,9})/.exec(message) ?? [];
  if (line !== undefined) return [Number(line), Number(column)];
  const before = text.slice(0, endOfTokens(text)).split("\n");
  return [before.length, (before.at(-1) ?? "").length + 1];
}

function endOfTokens(text: string): number {
  let end = 0;
  do {
    TOKEN.lastIndex = end;
    end += TOKEN.exec(text)?.[0].length ?? 0;
  } while (TOKEN.lastIndex > 0);
  return end;
}
