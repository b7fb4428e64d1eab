import jsep, { type baseTypes, type Expression } from "jsep";
import type { Arithmetic, BinaryOperator, FunctionName } from "./arithmetic.ts";
import { TextFault } from "./mapping-fault.ts";
import { parsePath } from "./parse-path.ts";
import type { Path } from "./path.ts";

const MAX_NODES = 200;
const MAX_DEPTH = 32;
const OPERATORS: ReadonlySet<string> = new Set<BinaryOperator>(["+", "-", "*", "/", "%", "**"]);
const FUNCTIONS: ReadonlySet<string> = new Set<FunctionName>(["min", "max", "round", "floor", "ceil", "abs"]);

interface Walk {
  readonly text: string;
  readonly column: number;
  nodes: number;
}

type Node = Expression & Readonly<Record<string, unknown>>;

/**
 * Reads a calculation: numbers, paths, `+ - * / % **`, unary minus, parentheses, and min, max, round, floor, ceil, abs.
 *
 * In: `column` of its first character. Refuses: TextFault INVALID_ARITHMETIC, TOO_LARGE beyond 200 nodes or a depth of 32.
 * Source: S3 "Mapping config"; decision A3.
 */
export function parseArithmetic({ text, column }: { readonly text: string; readonly column: number }): Arithmetic {
  return walk({ text, column, nodes: 0 }, { node: parse(text, column), depth: 1 });
}

function parse(text: string, column: number): Node {
  // The parser calls itself for each parenthesis and each minus.
  const deepest = Math.max(nestingOf(text, "(", ")"), nestingOf(text, "[", "]"));
  if (deepest > MAX_DEPTH || longestSigns(text) > MAX_DEPTH) throw tooLarge(column);
  try {
    return jsep(text) as Node;
  } catch (error) {
    const { index, description } = error as { readonly index?: number; readonly description?: string };
    throw new TextFault("INVALID_ARITHMETIC", column + (index ?? 0), `${description ?? "This is not a calculation"}.`);
  }
}

function nestingOf(text: string, opening: string, closing: string): number {
  let depth = 0;
  let deepest = 0;
  for (const character of text) {
    if (character === opening) depth += 1;
    if (character === closing) depth -= 1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

/** The longest run of signs, spaces between them left out. */
function longestSigns(text: string): number {
  let run = 0;
  let longest = 0;
  for (const character of text.replaceAll(" ", "")) {
    run = "-+!~".includes(character) ? run + 1 : 0;
    longest = Math.max(longest, run);
  }
  return longest;
}

function walk(state: Walk, { node, depth }: { readonly node: Node; readonly depth: number }): Arithmetic {
  state.nodes += 1;
  if (state.nodes > MAX_NODES || depth > MAX_DEPTH) throw tooLarge(state.column);
  const inner = (child: unknown): Arithmetic => walk(state, { node: child as Node, depth: depth + 1 });
  switch (node.type) {
    case "Literal":
      if (typeof node["value"] !== "number" || !Number.isFinite(node["value"])) break;
      return { kind: "number", value: node["value"] };
    case "Identifier":
    case "MemberExpression":
      return { kind: "path", path: toPath(state, node) };
    case "UnaryExpression":
      if (node["operator"] !== "-") break;
      return { kind: "negate", of: inner(node["argument"]) };
    case "BinaryExpression":
      if (!OPERATORS.has(String(node["operator"]))) break;
      return {
        kind: "binary",
        operator: node["operator"] as BinaryOperator,
        left: inner(node["left"]),
        right: inner(node["right"]),
      };
    case "CallExpression":
      return { kind: "call", name: functionName(state, node), of: (node["arguments"] as baseTypes[]).map(inner) };
  }
  throw refusal(state, "Use numbers, fields, + - * / % **, parentheses and min, max, round, floor, ceil, abs.");
}

function functionName(state: Walk, node: Node): FunctionName {
  const callee = node["callee"] as Node;
  const name = String(callee["name"]);
  const given = (node["arguments"] as baseTypes[]).length;
  if (callee.type !== "Identifier" || !FUNCTIONS.has(name)) {
    throw refusal(state, `${name} is not a function of calculations: there are ${[...FUNCTIONS].join(", ")}.`, name);
  }
  const takesMany = name === "min" || name === "max";
  if (given === 0 || (given > 1 && !takesMany)) {
    throw refusal(state, `${name} takes ${takesMany ? "one argument or more" : "one argument"}.`, name);
  }
  return name as FunctionName;
}

function toPath(state: Walk, node: Node): Path {
  const text = pathText(state, node);
  try {
    return parsePath(text);
  } catch (error) {
    if (error instanceof TextFault) throw new TextFault(error.code, columnOf(state, text), error.message);
    throw error;
  }
}

function pathText(state: Walk, node: Node): string {
  if (node.type === "Identifier") return String(node["name"]);
  const [object, property] = [node["object"] as Node, node["property"] as Node];
  if (object?.type === "Identifier" || object?.type === "MemberExpression") {
    const before = pathText(state, object);
    if (node["computed"] === true && typeof property["value"] === "number") return `${before}[${property["value"]}]`;
    if (node["computed"] === false && property.type === "Identifier") return `${before}.${property["name"]}`;
  }
  throw refusal(state, "A field is written as names separated by dots.");
}

function columnOf({ text, column }: Walk, part: string): number {
  return column + Math.max(0, text.indexOf(part));
}

function refusal(state: Walk, message: string, part = ""): TextFault {
  return new TextFault("INVALID_ARITHMETIC", columnOf(state, part), message);
}

function tooLarge(column: number): TextFault {
  return new TextFault("TOO_LARGE", column, `A calculation has at most ${MAX_NODES} parts, ${MAX_DEPTH} deep.`);
}
