import { type Arithmetic, evaluate, invert, operandsOf } from "../arithmetic.ts";
import { type Conversion, type Entry, put, readField } from "../conversion.ts";
import { type LocalDateType, readTime, toIsoTime, toLocalTime } from "../dates.ts";
import { type Path, readPath } from "../path.ts";
import { createNumberReader } from "../read-number.ts";

/** Milliseconds below this are a date before 1973: rather seconds that were taken for milliseconds. */
const LEAST_USUAL_MS = 1e11;

interface DateText {
  readonly localKey: string;
  readonly target: Path;
  readonly column: number;
}

/** `"k": "__date(createdAt)"`: a time, ISO 8601 in the payload, of the declared type in the row. Source: S3 "Mapping config". */
export function createDateEntry({ localKey, target, column }: DateText, local: Path, type: LocalDateType): Entry {
  return {
    ...{ localKey, form: "date", target, reads: [local], writes: local, loss: undefined, column },
    toGlobal: (row, conversion) => {
      const value = readPath(local, row);
      if (value === undefined) return;
      if (value === null) return put(conversion, target, null);
      const ms = readTime(value, type);
      if (ms === undefined) return void conversion.issues.push({ key: localKey, code: "INVALID_DATE" });
      if (typeof value === "number" && type !== "s" && Math.abs(ms) < LEAST_USUAL_MS && ms !== 0) {
        conversion.issues.push({ key: localKey, code: "LOOKS_LIKE_SECONDS" });
      }
      put(conversion, target, toIsoTime(ms));
    },
    fromGlobal: (payload, conversion) => {
      const ms = readGlobalTime({ localKey, target, column }, payload, conversion);
      if (ms !== undefined) put(conversion, local, ms === null ? null : toLocalTime(ms, type));
    },
  };
}

/** `"k": "__date(calc(t * 1000)),t"`: a time whose milliseconds are calculated; the way back solves for the one operand. */
export function createCalculatedDateEntry(text: DateText, arithmetic: Arithmetic, coerce: boolean): Entry {
  const { localKey, target, column } = text;
  const solution = invert(arithmetic);
  const operands = operandsOf(arithmetic);
  return {
    ...{ localKey, form: "date", target, reads: operands, writes: solution?.path, column },
    loss: solution === undefined ? "its calculation cannot be undone" : undefined,
    toGlobal: (row, conversion) => {
      const numbers = createNumberReader(row, coerce);
      const ms = readTime(evaluate(arithmetic, numbers.read), "ms");
      if (ms !== undefined) put(conversion, target, toIsoTime(ms));
      else if (!numbers.isMissing()) conversion.issues.push({ key: localKey, code: "INVALID_DATE" });
    },
    fromGlobal: (payload, conversion) => {
      const ms = readGlobalTime(text, payload, conversion);
      if (solution !== undefined && typeof ms === "number") put(conversion, solution.path, solution.solve(ms));
    },
  };
}

function readGlobalTime(
  { localKey, target }: DateText,
  payload: Readonly<Record<string, unknown>>,
  { issues }: Conversion<unknown>,
): number | null | undefined {
  const value = readField(target, payload);
  if (value === undefined || value === null) return value;
  const ms = readTime(value, "ms");
  if (ms === undefined) issues.push({ key: localKey, code: "INVALID_DATE" });
  return ms;
}
