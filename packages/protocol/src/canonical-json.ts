import { ProtocolError } from "./protocol-error.ts";

// Twice the nesting of a payload: everything that can be stored can be signed, and no input exhausts the stack.
const MAX_DEPTH = 128;

/**
 * Writes a JSON value in the single form that is signed and hashed: keys sorted by UTF-16 code units, no white space.
 *
 * In: objects, arrays, strings, booleans, null and finite numbers, nested at most 128 deep. Out: RFC 8785 text.
 * Refuses: INVALID_JSON for values without an exact JSON form: undefined, NaN, infinities, big integers, functions,
 * dates and other instances, holes in arrays, ill-formed strings and keys.
 * Source: RFC 8785; decisions V7 and V14.
 */
export function canonical(value: unknown): string {
  return write(value, 1);
}

function write(value: unknown, depth: number): string {
  if (depth > MAX_DEPTH) {
    throw refusal("it is nested deeper than 128");
  }
  switch (typeof value) {
    case "string":
      return writeString(value);
    case "boolean":
      return String(value);
    case "number":
      return writeNumber(value);
    case "object":
      return value === null ? "null" : writeNested(value, depth);
    default:
      throw refusal(`JSON cannot hold a value of type ${typeof value}`);
  }
}

function writeString(value: string): string {
  if (!value.isWellFormed()) {
    throw refusal("it holds ill-formed Unicode");
  }
  return JSON.stringify(value);
}

function writeNumber(value: number): string {
  if (!Number.isFinite(value)) {
    throw refusal("JSON cannot hold NaN or infinity");
  }
  return JSON.stringify(value);
}

function writeNested(value: object, depth: number): string {
  if (Array.isArray(value)) {
    return `[${Array.from(value, (item) => write(item, depth + 1)).join(",")}]`;
  }
  if (!isPlain(value)) {
    throw refusal("it holds an instance of a class; only plain objects and arrays can be signed");
  }
  const members = Object.keys(value)
    .sort()
    .map((key) => `${writeString(key)}:${write((value as Readonly<Record<string, unknown>>)[key], depth + 1)}`);
  return `{${members.join(",")}}`;
}

// An object of another realm (a frame) has that realm's root prototype, so this checks the prototype's prototype.
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function refusal(why: string): ProtocolError {
  return new ProtocolError("INVALID_JSON", `This value has no canonical JSON: ${why}.`);
}
