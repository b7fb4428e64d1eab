import { type Entity, type Path, readPath } from "./path.ts";

/** Reads the operands of one calculation from one row. */
export interface NumberReader {
  readonly read: (path: Path) => number;
  /** Whether an operand was absent or null, so that nothing is to be calculated. */
  readonly isMissing: () => boolean;
  /** Whether an operand was there and no number. */
  readonly isRefused: () => boolean;
}

const MAX_NUMBER_CHARS = 64;

/** Starts reading operands. In: `coerce`: whether texts of decimal numbers are numbers. Out: NaN for whatever is not a number. Refuses: never. */
export function createNumberReader(row: Entity, coerce: boolean): NumberReader {
  let missing = false;
  let refused = false;
  return {
    read: (path) => {
      const value = readPath(path, row);
      if (typeof value === "number") return value;
      if (value === undefined || value === null) missing = true;
      const number = coerce && typeof value === "string" ? readText(value) : Number.NaN;
      if (Number.isNaN(number) && !missing) refused = true;
      return number;
    },
    isMissing: () => missing,
    isRefused: () => refused,
  };
}

function readText(text: string): number {
  const isNumber = text.length <= MAX_NUMBER_CHARS && /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,3})?$/i.test(text);
  return isNumber ? Number(text) : Number.NaN;
}
