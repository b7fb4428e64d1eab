import { randomUUID } from "node:crypto";
import { setImmediate as turn } from "node:timers/promises";

/** A placeholder for a raw text while the rest is written; it never occurs in an answer. */
const MARK = `raw:${randomUUID()}`;

const ITEMS_AT_ONCE = 64;
const CHARACTERS_A_TURN = 1_048_576;
const MAX_DEPTH = 4;

// While a text is written, the raw texts of its placeholders; nothing else runs meanwhile.
let marked: string[] | undefined;

/** JSON that the answer contains as its stored text, neither parsed nor written again. */
export class RawJson {
  readonly text: string;

  /** In: `text`, one valid JSON value. */
  constructor(text: string) {
    this.text = text;
  }

  /** Returns the value, or while an answer is written its placeholder. */
  toJSON(): unknown {
    if (marked === undefined) return JSON.parse(this.text);
    marked.push(this.text);
    return MARK;
  }
}

/**
 * Writes an answer as JSON in UTF-8, with each raw text unchanged. A long list is written in parts, each in its own
 * turn of the event loop. Refuses: never. Source: decision V25.
 */
export async function writeAnswer(answer: object): Promise<Buffer> {
  const done: Buffer[] = [];
  let text = "";
  for (const part of writeParts(answer, 1)) {
    text += part;
    if (text.length < CHARACTERS_A_TURN) continue;
    done.push(Buffer.from(text));
    text = "";
    await turn();
  }
  const last = Buffer.from(text);
  return done.length === 0 ? last : Buffer.concat([...done, last]);
}

function* writeParts(value: object, depth: number): Generator<string> {
  if (Array.isArray(value)) {
    yield "[";
    for (let from = 0; from < value.length; from += ITEMS_AT_ONCE) {
      if (from > 0) yield ",";
      yield* writeItems(value.slice(from, from + ITEMS_AT_ONCE));
    }
    yield "]";
    return;
  }
  let separator = "{";
  for (const [key, member] of Object.entries(value)) {
    if (member === undefined) continue;
    yield `${separator}${JSON.stringify(key)}:`;
    separator = ",";
    if (isLong(member, depth)) yield* writeParts(member, depth + 1);
    else yield* writeMarked(member);
  }
  yield separator === "{" ? "{}" : "}";
}

function isLong(value: unknown, depth: number): value is object {
  if (typeof value !== "object" || value === null || value instanceof RawJson) return false;
  return Array.isArray(value) ? value.length > ITEMS_AT_ONCE : depth < MAX_DEPTH;
}

/** Writes items without the brackets of their list. */
function writeItems(items: readonly unknown[]): readonly string[] {
  const parts = [...writeMarked(items)];
  parts[0] = (parts[0] as string).slice(1);
  parts.push((parts.pop() as string).slice(0, -1));
  return parts;
}

/** Writes a value at once, as parts of which every second one is a raw text. */
function writeMarked(value: unknown): readonly string[] {
  const raw: string[] = [];
  marked = raw;
  try {
    const text = JSON.stringify(value);
    if (raw.length === 0) return [text];
    // The placeholders are in the order in which the raw texts were met.
    const between = text.split(`"${MARK}"`);
    return between.flatMap((part, index) => (index === 0 ? [part] : [raw[index - 1] as string, part]));
  } finally {
    marked = undefined;
  }
}
