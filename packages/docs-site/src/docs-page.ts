import { html, raw } from "hono/html";
import type { Html } from "@dataspace/ui/html";
import type { Page } from "@dataspace/ui/page";
import { DOCS_TEXTS } from "./docs-texts.ts";
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
  return { ...ABOUT, title: current?.title ?? DOCS_TEXTS.search, isWide: true, main };
}

/** The page for an address that the site does not have. Refuses: never. */
export function missingDocsPage(pages: readonly DocsPage[]): Page {
  const main = html`<div class="guide doc-site">${menu(pages, undefined)}
<div class="stack">${searchField("")}<h1>${DOCS_TEXTS.missing}</h1>
<p>${DOCS_TEXTS.missingText("/docs")}</p></div></div>`;
  return { ...ABOUT, title: DOCS_TEXTS.missing, isWide: true, main };
}

function menu(pages: readonly DocsPage[], current: DocsPage | undefined): Html {
  return html`<nav class="contents" aria-label="${DOCS_TEXTS.pages}">${listSections(pages).map(
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
<label class="grow"><span class="spoken">${DOCS_TEXTS.searchDocs}</span>
<input type="search" name="q" value="${question}" maxlength="200" placeholder="${DOCS_TEXTS.searchDocs}" autocomplete="off"></label>
<button type="submit">${DOCS_TEXTS.search}</button></form>`;
}

function article({ html: content, headings }: RenderedPage): Html {
  const parts = headings.filter(({ level }) => level === 2);
  const list = html`<details class="doc-parts"><summary>${DOCS_TEXTS.parts}</summary><ul>${parts.map(
    ({ id, text }) => html`<li><a href="#${id}">${text}</a></li>`,
  )}</ul></details>`;
  return html`${parts.length > 2 && list}<article class="doc">${raw(content)}</article>`;
}

function answer({ question, hits }: { readonly question: string; readonly hits: readonly Hit[] }): Html {
  if (hits.length === 0) return html`<h1>${DOCS_TEXTS.nothing}</h1><p>${DOCS_TEXTS.nothingText(question)}</p>`;
  return html`<h1>${DOCS_TEXTS.results(hits.length, question)}</h1>
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
