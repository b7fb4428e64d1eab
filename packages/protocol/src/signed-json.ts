import type { JsonValue } from "./meta-envelope.ts";
import { ProtocolError } from "./protocol-error.ts";

const MAX_DEPTH = 64;

/**
 * Parses JSON text that somebody signed, where two readers must never see two meanings.
 *
 * Refuses: INVALID_JSON for text that is not JSON, a key that an object has twice (parsers keep the first or the last),
 * the key `__proto__`, ill-formed Unicode, and nesting over 64.
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

// The text is known to be JSON here, so strings and brackets are all that needs to be seen.
function checkTokens(text: string): void {
  const open: (Set<string> | undefined)[] = [];
  for (const [token, string, colon] of text.matchAll(/("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|[{}[\]]/gs)) {
    if (string !== undefined) {
      checkString(JSON.parse(string), colon === undefined ? undefined : open.at(-1));
    } else if (token === "{" || token === "[") {
      open.push(token === "{" ? new Set() : undefined);
    } else {
      open.pop();
    }
    if (open.length > MAX_DEPTH) {
      throw refusal("it is nested deeper than 64");
    }
  }
}

function checkString(string: string, keysSoFar: Set<string> | undefined): void {
  if (!string.isWellFormed()) {
    throw refusal("it holds ill-formed Unicode");
  }
  if (keysSoFar === undefined) {
    return;
  }
  if (keysSoFar.has(string) || string === "__proto__") {
    throw refusal(`the key ${JSON.stringify(string)} may not stand here (again)`);
  }
  keysSoFar.add(string);
}

function refusal(why: string): ProtocolError {
  return new ProtocolError("INVALID_JSON", `The signed text is refused: ${why}.`);
}
