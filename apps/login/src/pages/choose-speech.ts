import type { Language, Speech } from "./words.ts";
import { WORDS } from "./words-by-language.ts";

const MOST_TAGS = 20;

/**
 * Chooses the language of a page: the request's `ui_locales`, then `Accept-Language`, then English.
 *
 * In: both as received, or undefined. Refuses: never. Source: decision L10; RFC 9110 12.5.4.
 */
export function chooseSpeech(uiLocales: string | undefined, acceptLanguage: string | undefined): Speech {
  const wanted = [...(uiLocales ?? "").slice(0, 256).split(" "), ...byQuality(acceptLanguage ?? "")];
  const language = wanted.map(toLanguage).find((found) => found !== undefined) ?? "en";
  return { language, direction: language === "ar" ? "rtl" : "ltr", words: WORDS[language] };
}

/** Inserts values into a text. Refuses: never. */
export function fill(text: string, values: Readonly<Record<string, string>>): string {
  return Object.entries(values).reduce((filled, [name, value]) => filled.replaceAll(`{${name}}`, () => value), text);
}

function byQuality(header: string): readonly string[] {
  const tags = header.slice(0, 512).split(",").slice(0, MOST_TAGS);
  return tags
    .map((part) => {
      const [tag = "", ...parameters] = part.split(";").map((text) => text.trim());
      const quality = parameters.find((text) => text.startsWith("q="));
      return { tag, quality: quality === undefined ? 1 : Number(quality.slice(2)) || 0 };
    })
    .filter(({ quality }) => quality > 0)
    .sort((one, other) => other.quality - one.quality)
    .map(({ tag }) => tag);
}

function toLanguage(tag: string): Language | undefined {
  const [primary = ""] = tag.toLowerCase().split("-");
  return Object.hasOwn(WORDS, primary) ? (primary as Language) : undefined;
}
