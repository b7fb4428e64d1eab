const CONTROL = /\p{Cc}/gu;

/** Replaces control characters, which a terminal would obey: other parties and rows write parts of what is printed. Refuses: never. */
export function printable(text: string): string {
  return text.replaceAll(CONTROL, (character) => (character === "\n" ? character : "\u{fffd}"));
}
