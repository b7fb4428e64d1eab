import MiniSearch from "minisearch";
import { headingAnchor } from "./heading-anchor.ts";
import type { DocsPage } from "./read-pages.ts";

/** A part of a page that holds the words that were searched. */
export interface Hit {
  readonly slug: string;
  readonly anchor: string;
  readonly title: string;
  readonly heading: string;
  /** The beginning of the part, at most 200 characters. */
  readonly excerpt: string;
}

interface Part extends Hit {
  readonly id: number;
  readonly text: string;
}

const MOST_HITS = 20;
const LONGEST_QUESTION = 200;
const EXCERPT_CHARACTERS = 200;
const MARKS = /[[\]`*|#>]/g;

/** Makes the search over all pages. A question is cut at 200 characters. Gives at most 20 parts, the best first. */
export function createSearchPages(pages: readonly DocsPage[]): (question: string) => readonly Hit[] {
  const parts = pages.flatMap(splitPage).map((part, id) => ({ ...part, id }));
  const index = new MiniSearch<Part>({
    fields: ["title", "heading", "text"],
    searchOptions: {
      boost: { title: 4, heading: 3 },
      prefix: true,
      fuzzy: (term) => (term.length > 5 ? 0.2 : false),
      combineWith: "AND",
    },
  });
  index.addAll(parts);
  return (question) => {
    const found = index.search(question.slice(0, LONGEST_QUESTION));
    return found.slice(0, MOST_HITS).map(({ id }) => parts[id as number] as Part);
  };
}

function splitPage({ slug, title, markdown }: DocsPage): Omit<Part, "id">[] {
  return markdown.split(/^(?=## )/m).map((chunk) => {
    const heading = /^## (.+)/.exec(chunk)?.[1]?.replaceAll("`", "") ?? title;
    const text = toPlain(chunk);
    const anchor = heading === title ? "" : headingAnchor(heading);
    return { slug, anchor, title, heading, text, excerpt: text.slice(0, EXCERPT_CHARACTERS) };
  });
}

/** The words of a chunk, without its heading, its link targets and the marks of Markdown. */
function toPlain(markdown: string): string {
  const lines = markdown.split("\n").filter((line) => !line.startsWith("#") && !line.startsWith("|--"));
  return lines.map((line) => withoutTargets(line).replace(MARKS, " ").trim()).join(" ");
}

function withoutTargets(line: string): string {
  const [first = "", ...linked] = line.split("](");
  return [first, ...linked.map((rest) => rest.slice(rest.indexOf(")") + 1))].join("]");
}
