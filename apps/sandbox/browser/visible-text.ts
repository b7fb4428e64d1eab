/** Characters that no font shows, or that move others about: controls beside tab and line feed, formats (bidirectional ones too), separators. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * Writes a text of outside so that what is signed is what is seen: each hidden character stands as its code point, such as `[U+202E]`.
 *
 * It is for show alone: what is signed is the text itself. Refuses: never. Source: decision I10; UAX #9; UTS #39.
 */
export function visibleText(text: string): string {
  return text.replace(HIDDEN, (character) => {
    if (character === "\n" || character === "\t") return character;
    const code = character.codePointAt(0) ?? 0;
    return `[U+${code.toString(16).toUpperCase().padStart(4, "0")}]`;
  });
}
