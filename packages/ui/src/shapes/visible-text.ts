/**
 * Characters that fonts do not show, or that reorder others: controls except tab and line feed, formats (bidirectional
 * ones too), separators.
 */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * Makes hidden characters of an untrusted text visible, so that a person sees what is signed: each becomes its code
 * point, such as `[U+202E]`.
 *
 * For display only: the text itself is signed. Refuses: never. Source: decision I10; UAX #9; UTS #39.
 */
export function visibleText(text: string): string {
  return text.replace(HIDDEN, (character) => {
    if (character === "\n" || character === "\t") return character;
    const code = character.codePointAt(0) ?? 0;
    return `[U+${code.toString(16).toUpperCase().padStart(4, "0")}]`;
  });
}
