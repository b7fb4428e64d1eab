import { type Arithmetic, evaluate, invert, operandsOf } from "../arithmetic.ts";
import { type Entry, put, readField } from "../conversion.ts";
import type { Path } from "../path.ts";
import { createNumberReader } from "../read-number.ts";

interface CalcText {
  readonly localKey: string;
  readonly target: Path;
  readonly column: number;
}

/**
 * `"k": "__calc(q * p),total"`: a number calculated from fields.
 *
 * The way back solves for the operand where there is one and the calculation is linear; else it copies the number to the local key,
 * unless that is an operand itself. Source: S3 "Mapping config"; decision A3.
 */
export function createCalcEntry(
  text: CalcText,
  arithmetic: Arithmetic,
  options: {
    readonly keyPath: Path;
    readonly coerce: boolean;
  },
): Entry {
  const { localKey, target, column } = text;
  const { keyPath, coerce } = options;
  const operands = operandsOf(arithmetic);
  const solution = invert(arithmetic);
  const isOperand = operands.some((operand) => operand.text === keyPath.text);
  const writes = solution?.path ?? (isOperand ? undefined : keyPath);
  return {
    ...{ localKey, form: "calc", target, reads: operands, writes, column },
    loss: solution === undefined ? "its calculation cannot be undone" : undefined,
    toGlobal: (row, conversion) => {
      const numbers = createNumberReader(row, coerce);
      const result = evaluate(arithmetic, numbers.read);
      if (Number.isFinite(result)) put(conversion, target, result);
      else if (numbers.isRefused()) conversion.issues.push({ key: localKey, code: "NOT_A_NUMBER" });
      else if (!numbers.isMissing()) conversion.issues.push({ key: localKey, code: "DIVISION_BY_ZERO" });
    },
    fromGlobal: (payload, conversion) => {
      const result = readField(target, payload);
      if (typeof result !== "number" || writes === undefined) return;
      put(conversion, writes, solution === undefined ? result : solution.solve(result));
    },
  };
}
