import path from "node:path";
import MarkdownIt from "markdown-it";
import { headingAnchor } from "./heading-anchor.ts";

/** A heading of a page. `id` is its anchor. */
export interface Heading {
  readonly id: string;
  readonly text: string;
  readonly level: number;
}

/** A page as HTML. Every piece of text in it is escaped. */
export interface RenderedPage {
  readonly html: string;
  readonly headings: readonly Heading[];
}

type Token = ReturnType<InstanceType<typeof MarkdownIt>["parse"]>[number];

const SCHEME = /^[a-z][a-z0-9+.-]*:/i;

/**
 * Makes the renderer of pages. HTML in Markdown is shown as text.
 *
 * In: `addressOf`, the address of a page by its file, or undefined where the site has no such page.
 */
export function createRenderMarkdown(
  addressOf: (file: string) => string | undefined,
): (file: string, markdown: string) => RenderedPage {
  const parser = new MarkdownIt({ html: false, linkify: false, typographer: false });
  return (file, markdown) => {
    const tokens = parser.parse(markdown, {});
    const headings: Heading[] = [];
    tokens.forEach((token, at) => {
      if (token.type === "heading_open") headings.push(markHeading(token, tokens[at + 1], headings));
      if (token.type === "table_open") token.attrSet("class", "doc-table");
      for (const child of token.children ?? []) if (child.type === "link_open") pointLink(child, file, addressOf);
    });
    return { html: parser.renderer.render(tokens, parser.options, {}), headings };
  };
}

function markHeading(open: Token, inline: Token | undefined, before: readonly Heading[]): Heading {
  const text = (inline?.children ?? []).map(({ content }) => content).join("");
  const base = headingAnchor(text);
  const same = before.filter((heading) => headingAnchor(heading.text) === base).length;
  const id = same === 0 ? base : `${base}-${same}`;
  open.attrSet("id", id);
  return { id, text, level: Number(open.tag.slice(1)) };
}

/** Points a link at the page's address on the site. A link to any other file loses its target. */
function pointLink(link: Token, file: string, addressOf: (file: string) => string | undefined): void {
  const href = String(link.attrGet("href") ?? "");
  if (href.startsWith("#")) return;
  if (SCHEME.test(href)) {
    link.attrSet("rel", "noreferrer");
    return;
  }
  const [target = "", anchor] = href.split("#");
  const joined = path.posix.join(path.posix.dirname(file), decodeURI(target));
  const address = addressOf(joined) ?? addressOf(path.posix.join(joined, "README.md"));
  if (address === undefined)
    link.attrs = [
      ["class", "source"],
      ["title", `${joined} in the repository`],
    ];
  else link.attrSet("href", anchor === undefined ? address : `${address}#${anchor}`);
}
