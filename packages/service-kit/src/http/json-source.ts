const MAX_CHARS = 16_384;

// Held as long as the value and no longer.
const sources = new WeakMap<object, string>();

/** Remembers the text that a value was parsed from, so that a refusal can name a line. Texts over 16 KiB are not. Refuses: never. */
export function rememberJsonSource(value: unknown, text: string): void {
  if (text.length <= MAX_CHARS && typeof value === "object" && value !== null) sources.set(value, text);
}

/**
 * Finds the line, from 1, on which a request's body names a member of its outermost object.
 *
 * In: the parsed body itself. Out: undefined where its text is not remembered or has no such member. Refuses: never.
 */
export function findMemberLine(body: unknown, name: string): number | undefined {
  const text = typeof body === "object" && body !== null ? sources.get(body) : undefined;
  if (text === undefined) return undefined;
  let depth = 0;
  for (let index = 0; index < text.length; index++) {
    const character = text[index];
    if (character === "{" || character === "[") depth++;
    else if (character === "}" || character === "]") depth--;
    else if (character === '"') {
      const end = endOfString(text, index);
      const isMember = depth === 1 && /^\s*:/.test(text.slice(end, end + 64));
      if (isMember && JSON.parse(text.slice(index, end)) === name) return text.slice(0, index).split("\n").length;
      index = end - 1;
    }
  }
  return undefined;
}

/** The text is JSON, so each string ends. */
function endOfString(text: string, start: number): number {
  let end = start + 1;
  while (text[end] !== '"') end += text[end] === "\\" ? 2 : 1;
  return end + 1;
}
