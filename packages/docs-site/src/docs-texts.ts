import { html } from "hono/html";
import type { Html } from "@dataspace/ui/html";

/** The texts around the pages of the documentation. */
export const DOCS_TEXTS = {
  search: "Search",
  searchDocs: "Search the documentation",
  pages: "Pages",
  parts: "On this page",
  missing: "Page not found",
  missingText: (start: string): Html =>
    html`The documentation has no page at this address. Search for a word, or <a href="${start}">start at the beginning</a>.`,
  nothing: "Nothing found",
  nothingText: (question: string) => `No page has the words "${question}". Try fewer or other words.`,
  results: (count: number, question: string): string =>
    count === 1 ? `1 result for "${question}"` : `${count} results for "${question}"`,
} as const;
