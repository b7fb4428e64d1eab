import { PAGE_TEXTS } from "./page-texts.ts";

const MAX_CHARACTERS = 4_000;

/** Formats what was sent or received for display, with a limited length. Refuses: never. */
export function toText(value: unknown): string {
  return shorten(typeof value === "string" ? value : JSON.stringify(value, undefined, 2), MAX_CHARACTERS);
}

/** Cuts a text after so many characters, and says how many there were. Refuses: never. */
export function shorten(text: string, maxCharacters: number): string {
  return text.length > maxCharacters ? PAGE_TEXTS.cut(text.slice(0, maxCharacters).toWellFormed(), text.length) : text;
}
