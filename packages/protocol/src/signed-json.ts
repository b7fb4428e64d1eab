import type { JsonValue } from "./meta-envelope.ts";
import { ProtocolError } from "./protocol-error.ts";

const MAX_DEPTH = 64;
const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY] = [0x7b, 0x7d, 0x5b, 0x5d];
const WHITE_SPACE: ReadonlySet<string> = new Set(" \t\r\n");

/**
 * Parses signed JSON text, so strictly that two readers cannot understand it differently.
 *
 * Refuses: INVALID_JSON for text that is not JSON, a duplicate key (parsers disagree on which value counts), the key
 * `__proto__`, ill-formed Unicode, and nesting over 64.
 * Source: decision V7 ("in signed documents they are refused"); RFC 8259 section 4.
 */
export function parseSignedJson(text: string): JsonValue {
  try {
    const value: JsonValue = JSON.parse(text);
    checkTokens(text);
    return value;
  } catch (error) {
    throw error instanceof ProtocolError ? error : refusal("it is not JSON");
  }
}

// The text is known to be JSON here, so looking at strings and brackets is enough.
function checkTokens(text: string): void {
  const open: (Set<string> | undefined)[] = [];
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case QUOTE: {
        const end = endOfString(text, at);
        checkString(readString(text, at, end), isKey(text, end) ? open.at(-1) : undefined);
        at = end - 1;
        break;
      }
      case OPEN_OBJECT:
        open.push(new Set());
        break;
      case OPEN_ARRAY:
        open.push(undefined);
        break;
      case CLOSE_OBJECT:
      case CLOSE_ARRAY:
        open.pop();
    }
    if (open.length > MAX_DEPTH) {
      throw refusal("it is nested deeper than 64");
    }
  }
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at + 1;
}

function readString(text: string, start: number, end: number): string {
  const inner = text.slice(start + 1, end - 1);
  return inner.includes("\\") ? JSON.parse(text.slice(start, end)) : inner;
}

function isKey(text: string, end: number): boolean {
  let at = end;
  while (WHITE_SPACE.has(text[at] as string)) at += 1;
  return text[at] === ":";
}

function checkString(string: string, keysSoFar: Set<string> | undefined): void {
  if (!string.isWellFormed()) {
    throw refusal("it holds ill-formed Unicode");
  }
  if (keysSoFar === undefined) {
    return;
  }
  if (keysSoFar.has(string) || string === "__proto__") {
    throw refusal(`the key ${JSON.stringify(string)} may not occur here (again)`);
  }
  keysSoFar.add(string);
}

function refusal(why: string): ProtocolError {
  return new ProtocolError("INVALID_JSON", `The signed text is refused: ${why}.`);
}
