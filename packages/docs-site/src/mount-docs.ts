import { sendPage } from "@dataspace/ui/mount-ui";
import type { Ui } from "@dataspace/ui/ui";
import { docsPage, missingDocsPage } from "./docs-page.ts";
import { type DocsPage, readPages } from "./read-pages.ts";
import { createRenderMarkdown, type RenderedPage } from "./render-markdown.ts";
import { createSearchPages } from "./search-pages.ts";
import type { FastifyInstance } from "fastify";

const HOME = "docs";

/**
 * Serves the documentation: `GET /docs` its first page, `GET /docs?q=` a search, `GET /docs/*` a page.
 *
 * In: `root`, the directory of the repository. Pages are read at the first request and not again. Refuses: 404 with a page.
 */
export function mountDocs(app: FastifyInstance, ui: Pick<Ui, "render">, root: string): void {
  const site = once(() => createSite(root));
  app.get<{ Querystring: Record<string, unknown> }>("/docs", async ({ query }, reply) => {
    const { q: question } = query;
    const { pages, pageOf, search } = site();
    const isAsked = typeof question === "string" && question.trim() !== "";
    const view = isAsked ? { question, hits: search(question) } : pageOf(HOME);
    return sendPage(reply, await ui.render(view === undefined ? missingDocsPage(pages) : docsPage(pages, view)));
  });
  app.get<{ Params: { "*": string } }>("/docs/*", async ({ params }, reply) => {
    const { pages, pageOf } = site();
    const found = pageOf(params["*"]);
    if (found === undefined) return sendPage(reply.code(404), await ui.render(missingDocsPage(pages)));
    return sendPage(reply, await ui.render(docsPage(pages, found)));
  });
}

interface Site {
  readonly pages: readonly DocsPage[];
  readonly pageOf: (slug: string) => { readonly page: DocsPage; readonly rendered: RenderedPage } | undefined;
  readonly search: ReturnType<typeof createSearchPages>;
}

function createSite(root: string): Site {
  const pages = readPages(root);
  const bySlug = new Map(pages.map((page) => [page.slug, page]));
  const byFile = new Map(pages.map((page) => [page.file, `/docs/${page.slug}`]));
  const render = createRenderMarkdown((file) => byFile.get(file));
  const rendered = new Map<string, RenderedPage>();
  return {
    pages,
    pageOf: (slug) => {
      const page = bySlug.get(slug);
      if (page === undefined) return undefined;
      const known = rendered.get(slug) ?? render(page.file, page.markdown);
      rendered.set(slug, known);
      return { page, rendered: known };
    },
    search: createSearchPages(pages),
  };
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
