const CONTROL = /\p{Cc}/gu;

/** Replaces control characters, which a terminal would obey: other parties and rows write parts of what is printed. Refuses: never. */
export function printable(text: string): string {
  return text.replaceAll(CONTROL, (character) => (character === "\n" ? character : "\u{fffd}"));
}

/** Writes a value as one line of JSON. Control characters that JSON allows as they are become escapes. Refuses: never. */
export function printableJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(CONTROL, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `\\u${code.toString(16).padStart(4, "0")}`;
  });
}
