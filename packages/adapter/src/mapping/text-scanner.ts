import { TextFault } from "./mapping-fault.ts";

/** The longest text of one entry or owner path, in characters. */
const MAX_TEXT_CHARS = 1_024;

/** A text and how far it was read. Columns count from 1. */
export interface TextScanner {
  readonly column: () => number;
  readonly isAtEnd: () => boolean;
  /** What is left, without moving. */
  readonly rest: () => string;
  /** Reads white space. */
  readonly skipSpace: () => void;
  /** Reads `expected` where it is next, after white space. */
  readonly accept: (expected: string) => boolean;
  /** Reads `expected`. Refuses: TextFault UNKNOWN_FORM. */
  readonly require: (expected: string) => void;
  /** Reads the longest text of characters that pass. */
  readonly takeWhile: (passes: (character: string) => boolean) => string;
  /** Reads up to the closing parenthesis of one that was read, and that too. Refuses: TextFault UNKNOWN_FORM. */
  readonly takeToClose: () => { readonly text: string; readonly column: number };
}

/** Starts reading a text. Refuses: TextFault TOO_LARGE. */
export function createTextScanner(text: string): TextScanner {
  if (text.length > MAX_TEXT_CHARS) {
    throw new TextFault("TOO_LARGE", MAX_TEXT_CHARS + 1, `A text has at most ${MAX_TEXT_CHARS} characters.`);
  }
  let at = 0;
  const skipSpace = (): void => {
    while (text[at] === " " || text[at] === "\t") at += 1;
  };
  const accept = (expected: string): boolean => {
    skipSpace();
    if (!text.startsWith(expected, at)) return false;
    at += expected.length;
    return true;
  };
  return {
    column: () => at + 1,
    isAtEnd: () => at >= text.length,
    rest: () => text.slice(at),
    skipSpace,
    accept,
    require: (expected) => {
      if (!accept(expected)) throw new TextFault("UNKNOWN_FORM", at + 1, `Expected ${expected} here.`);
    },
    takeWhile: (passes) => {
      const from = at;
      while (at < text.length && passes(text[at] as string)) at += 1;
      return text.slice(from, at);
    },
    takeToClose: () => {
      const from = at;
      for (let depth = 1; at < text.length; at += 1) {
        if (text[at] === "(") depth += 1;
        if (text[at] === ")") depth -= 1;
        if (depth === 0) {
          at += 1;
          return { text: text.slice(from, at - 1), column: from + 1 };
        }
      }
      throw new TextFault("UNKNOWN_FORM", from + 1, "The parenthesis before this is not closed.");
    },
  };
}
