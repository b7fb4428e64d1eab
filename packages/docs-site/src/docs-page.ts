import { html, raw } from "hono/html";
import type { Html } from "@dataspace/ui/html";
import type { Page } from "@dataspace/ui/page";
import { type DocsPage, listSections } from "./read-pages.ts";
import type { RenderedPage } from "./render-markdown.ts";
import type { Hit } from "./search-pages.ts";

/** What the reader sees: a page, or the answer to a search. */
export type DocsView =
  | { readonly page: DocsPage; readonly rendered: RenderedPage }
  | { readonly question: string; readonly hits: readonly Hit[] };

const ABOUT = { part: "documentation", home: "/docs" };

/** Renders a view with the menu of all pages. Refuses: never. */
export function docsPage(pages: readonly DocsPage[], view: DocsView): Page {
  const current = "page" in view ? view.page : undefined;
  const main = html`<div class="guide doc-site">
${menu(pages, current)}
<div class="stack">${searchField("question" in view ? view.question : "")}
${"page" in view ? article(view.rendered) : answer(view)}</div></div>`;
  return { ...ABOUT, title: current?.title ?? "Search", isWide: true, main };
}

/** The page for an address that the site does not have. Refuses: never. */
export function missingDocsPage(pages: readonly DocsPage[]): Page {
  const main = html`<div class="guide doc-site">${menu(pages, undefined)}
<div class="stack">${searchField("")}<h1>Page not found</h1>
<p>The documentation has no page at this address. Search for a word, or <a href="/docs">start at the beginning</a>.</p></div></div>`;
  return { ...ABOUT, title: "Page not found", isWide: true, main };
}

function menu(pages: readonly DocsPage[], current: DocsPage | undefined): Html {
  return html`<nav class="contents" aria-label="Pages">${listSections(pages).map(
    ({
      name,
      pages: inside,
    }) => html`<details${inside.some((page) => page === current) || name === "Start" ? html` open` : ""}>
<summary>${name}</summary><ul>${inside.map(
      (page) =>
        html`<li><a href="/docs/${page.slug}"${page === current ? html` aria-current="page"` : ""}>${page.title}</a></li>`,
    )}</ul></details>`,
  )}</nav>`;
}

function searchField(question: string): Html {
  return html`<form class="row doc-search" role="search" action="/docs" method="get">
<label class="grow"><span class="spoken">Search the documentation</span>
<input type="search" name="q" value="${question}" maxlength="200" placeholder="Search the documentation" autocomplete="off"></label>
<button type="submit">Search</button></form>`;
}

function article({ html: content, headings }: RenderedPage): Html {
  const parts = headings.filter(({ level }) => level === 2);
  const list = html`<details class="doc-parts"><summary>On this page</summary><ul>${parts.map(
    ({ id, text }) => html`<li><a href="#${id}">${text}</a></li>`,
  )}</ul></details>`;
  return html`${parts.length > 2 && list}<article class="doc">${raw(content)}</article>`;
}

function answer({ question, hits }: { readonly question: string; readonly hits: readonly Hit[] }): Html {
  if (hits.length === 0)
    return html`<h1>Nothing found</h1><p>No page has the words "${question}". Try fewer or other words.</p>`;
  return html`<h1>${hits.length === 1 ? "1 result" : `${hits.length} results`} for "${question}"</h1>
<ol class="doc-hits">${hits.map(
    ({
      slug,
      anchor,
      title,
      heading,
      excerpt,
    }) => html`<li class="card"><a href="/docs/${slug}${anchor && `#${anchor}`}">${heading}</a>
<span class="muted small">${title}</span><p class="small">${excerpt}</p></li>`,
  )}</ol>`;
}
