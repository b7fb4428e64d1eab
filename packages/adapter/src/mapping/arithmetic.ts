import type { Path } from "./path.ts";
import { settleOperand } from "./settle-operand.ts";

/** The operators between two operands. */
export type BinaryOperator = "+" | "-" | "*" | "/" | "%" | "**";

/** The functions that a calculation may call. */
export type FunctionName = "min" | "max" | "round" | "floor" | "ceil" | "abs";

/** A calculation as a tree: at most 200 nodes, 32 deep. */
export type Arithmetic =
  | { readonly kind: "number"; readonly value: number }
  | { readonly kind: "path"; readonly path: Path }
  | { readonly kind: "negate"; readonly of: Arithmetic }
  | {
      readonly kind: "binary";
      readonly operator: BinaryOperator;
      readonly left: Arithmetic;
      readonly right: Arithmetic;
    }
  | { readonly kind: "call"; readonly name: FunctionName; readonly of: readonly Arithmetic[] };

/** Gives the number at a path, or NaN. */
export type ReadNumber = (path: Path) => number;

const OPERATIONS: Readonly<Record<BinaryOperator, (left: number, right: number) => number>> = {
  "+": (left, right) => left + right,
  "-": (left, right) => left - right,
  "*": (left, right) => left * right,
  "/": (left, right) => left / right,
  "%": (left, right) => left % right,
  "**": (left, right) => left ** right,
};

/** Calculates. Out: NaN or an infinity where an operand is missing or nothing finite comes of it. Refuses: never. */
export function evaluate(tree: Arithmetic, read: ReadNumber): number {
  switch (tree.kind) {
    case "number":
      return tree.value;
    case "path":
      return read(tree.path);
    case "negate":
      return -evaluate(tree.of, read);
    case "binary":
      return OPERATIONS[tree.operator](evaluate(tree.left, read), evaluate(tree.right, read));
    case "call":
      return Math[tree.name](...(tree.of.map((part) => evaluate(part, read)) as [number]));
  }
}

/** Lists the paths that a calculation reads, each once. Refuses: never. */
export function operandsOf(tree: Arithmetic): readonly Path[] {
  const found = new Map<string, Path>();
  const visit = (node: Arithmetic): void => {
    if (node.kind === "path") found.set(node.path.text, node.path);
    if (node.kind === "negate") visit(node.of);
    if (node.kind === "binary") [node.left, node.right].forEach(visit);
    if (node.kind === "call") node.of.forEach(visit);
  };
  visit(tree);
  return [...found.values()];
}

/** `factor * x + offset`: what a calculation is in its only operand. */
interface Line {
  readonly factor: number;
  readonly offset: number;
}

/** The inverse of a calculation in its only operand. */
export interface Solution {
  readonly path: Path;
  /** Gives the operand for which the calculation gives `result`, exactly where a double can. */
  readonly solve: (result: number) => number;
}

/**
 * Finds the inverse of a calculation.
 *
 * Out: undefined where it has not exactly one operand, or is not a line in it. Refuses: never.
 */
export function invert(tree: Arithmetic): Solution | undefined {
  const [path, ...others] = operandsOf(tree);
  const line = toLine(tree);
  if (path === undefined || others.length > 0 || line === undefined || line.factor === 0) return undefined;
  // The length of an array is not a field to be written.
  if (path.segments.at(-1)?.name === "length" || path.segments.some(({ element }) => element === "each"))
    return undefined;
  if (!Number.isFinite(line.factor) || !Number.isFinite(line.offset)) return undefined;
  return {
    path,
    solve: (result) =>
      settleOperand((operand) => evaluate(tree, () => operand), toFinite((result - line.offset) / line.factor), result),
  };
}

// Near the largest number the division overflows by rounding alone.
function toFinite(value: number): number {
  return Math.min(Math.max(value, -Number.MAX_VALUE), Number.MAX_VALUE);
}

function toLine(tree: Arithmetic): Line | undefined {
  if (tree.kind === "number") return { factor: 0, offset: tree.value };
  if (tree.kind === "path") return { factor: 1, offset: 0 };
  if (tree.kind === "negate") return scale(toLine(tree.of), -1);
  if (tree.kind === "call") return undefined;
  const [left, right] = [toLine(tree.left), toLine(tree.right)];
  if (left === undefined || right === undefined) return undefined;
  if (tree.operator === "+") return { factor: left.factor + right.factor, offset: left.offset + right.offset };
  if (tree.operator === "-") return { factor: left.factor - right.factor, offset: left.offset - right.offset };
  if (left.factor === 0 && right.factor === 0) {
    return { factor: 0, offset: OPERATIONS[tree.operator](left.offset, right.offset) };
  }
  if (tree.operator === "*" && left.factor === 0) return scale(right, left.offset);
  if (tree.operator === "*" && right.factor === 0) return scale(left, right.offset);
  if (tree.operator === "/" && right.factor === 0) return scale(left, 1 / right.offset);
  return undefined;
}

function scale(line: Line | undefined, by: number): Line | undefined {
  return line && { factor: line.factor * by, offset: line.offset * by };
}
