import { TextFault } from "./mapping-fault.ts";
import type { Path, Segment } from "./path.ts";
import { createTextScanner, type TextScanner } from "./text-scanner.ts";

const MAX_SEGMENTS = 32;
const MAX_INDEX = 999;
const FORBIDDEN: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);
/** What ends a name, wherever a path stands. */
const SPECIAL: ReadonlySet<string> = new Set([..."()[],|."]);

/**
 * Reads a path from a text: names separated by dots, each with `[]` or `[n]` behind it; `\.` is a dot inside a name.
 *
 * Refuses: TextFault INVALID_PATH, FORBIDDEN_NAME for names by which objects are changed for everybody. Source: S3 "Mapping config"; decision A3.
 */
export function scanPath(scanner: TextScanner): Path {
  scanner.skipSpace();
  const before = scanner.rest();
  const segments: Segment[] = [];
  do {
    if (segments.length === MAX_SEGMENTS) {
      throw new TextFault("TOO_LARGE", scanner.column(), `A path has at most ${MAX_SEGMENTS} names.`);
    }
    segments.push(scanSegment(scanner));
  } while (scanner.rest().startsWith(".") && scanner.accept("."));
  const text = before.slice(0, before.length - scanner.rest().length).trimEnd();
  scanner.skipSpace();
  return { text, segments };
}

/** Reads a text that is one path and nothing else. Refuses: as scanPath. */
export function parsePath(text: string): Path {
  const scanner = createTextScanner(text);
  const path = scanPath(scanner);
  if (scanner.isAtEnd()) return path;
  throw new TextFault("INVALID_PATH", scanner.column(), "A path ends here; names are separated by dots.");
}

function scanSegment(scanner: TextScanner): Segment {
  const column = scanner.column();
  const name = scanName(scanner).trimEnd();
  if (name === "") throw new TextFault("INVALID_PATH", column, "Expected a name here.");
  if (FORBIDDEN.has(name)) throw new TextFault("FORBIDDEN_NAME", column, `${name} is not a name of a field.`);
  if (!scanner.rest().startsWith("[")) return { name, element: undefined };
  scanner.accept("[");
  const digits = scanner.takeWhile((character) => character >= "0" && character <= "9");
  scanner.require("]");
  if (digits === "") return { name, element: "each" };
  if (digits.length > 3 || Number(digits) > MAX_INDEX) {
    throw new TextFault("INVALID_PATH", column, `The place in an array is at most ${MAX_INDEX}.`);
  }
  return { name, element: Number(digits) };
}

function scanName(scanner: TextScanner): string {
  let name = "";
  for (;;) {
    name += scanner.takeWhile((character) => character !== "\\" && !SPECIAL.has(character));
    if (!scanner.rest().startsWith("\\")) return name;
    if (!scanner.rest().startsWith("\\.")) {
      throw new TextFault("INVALID_PATH", scanner.column(), "A backslash stands before a dot only.");
    }
    scanner.accept("\\.");
    name += ".";
  }
}
