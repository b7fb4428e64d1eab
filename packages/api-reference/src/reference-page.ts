import { html } from "hono/html";
import type { Html } from "@dataspace/ui/html";
import type { Api } from "./api.ts";
import type { JsonSchema, OpenApiDocument, PathItem } from "./open-api.ts";
import { operationArticle, type PlacedOperation } from "./operation-article.ts";
import { inline, prose } from "./prose.ts";
import { REFERENCE_TEXTS } from "./reference-texts.ts";
import { memberList, membersOf } from "./schema-members.ts";

interface Section {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly operations: readonly PlacedOperation[];
}

/** Its codes have a separate section. */
const REFUSAL = "Refusal";

/**
 * Renders an OpenAPI document as the content of a page, with a table of contents from its headings. In: `openApiAt`,
 * the address of the document. Refuses: never.
 */
export function referencePage(document: OpenApiDocument, api: Api, openApiAt: string): Html {
  const { info, servers } = document;
  const sections = listSections(document);
  return html`<div class="guide">
${contents(sections, Object.keys(document.components.securitySchemes).length > 0)}
<div class="stack">
<div class="stack"><h1>${info.title}</h1>
${prose(info.description)}
<p>${REFERENCE_TEXTS.address(servers[0]?.url, openApiAt)}</p></div>
${credentialSection(document)}
${sections.map(
  (section) => html`<section class="stack" aria-labelledby="${section.id}">
<h2 id="${section.id}">${section.name}</h2>${prose(section.description)}
${section.operations.map((placed) => operationArticle(document, api, placed))}</section>`,
)}
${shapeSection(document)}
${codeSection(document)}
</div></div>`;
}

function listSections({ tags, paths, webhooks }: OpenApiDocument): readonly Section[] {
  const all = [...place(paths, (path) => path), ...place(webhooks, () => undefined)];
  return tags.map(({ name, description }) => ({
    id: name.toLowerCase().replaceAll(" ", "-"),
    name,
    description,
    operations: all.filter(({ operation }) => operation.tags.includes(name)),
  }));
}

function place(
  items: Readonly<Record<string, PathItem>>,
  toPath: (key: string) => string | undefined,
): PlacedOperation[] {
  return Object.entries(items).flatMap(([key, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method, path: toPath(key), operation })),
  );
}

function contents(sections: readonly Section[], hasCredentials: boolean): Html {
  return html`<nav class="contents" aria-label="${REFERENCE_TEXTS.contents}"><ul>
${hasCredentials && html`<li><a href="#credentials">${REFERENCE_TEXTS.credentials}</a></li>`}
${sections.map(
  ({ id, name, operations }) =>
    html`<li><a href="#${id}">${name}</a><ul>${operations.map(
      ({ operation }) => html`<li><a href="#${operation.operationId}">${operation.summary}</a></li>`,
    )}</ul></li>`,
)}
<li><a href="#shapes">${REFERENCE_TEXTS.shapes}</a></li>
<li><a href="#codes">${REFERENCE_TEXTS.codes}</a></li>
</ul></nav>`;
}

function credentialSection({ components: { securitySchemes } }: OpenApiDocument): Html {
  if (Object.keys(securitySchemes).length === 0) return html``;
  return html`<section class="stack" aria-labelledby="credentials"><h2 id="credentials">${REFERENCE_TEXTS.credentials}</h2>
<p>${inline(REFERENCE_TEXTS.invalidCredential(headerWords(securitySchemes)))}</p>
<dl class="members card">${Object.entries(securitySchemes).map(
    ([name, { description }]) =>
      html`<dt id="credential-${name}"><code>${name}</code></dt><dd><p>${inline(description)}</p></dd>`,
  )}</dl></section>`;
}

function headerWords(securitySchemes: OpenApiDocument["components"]["securitySchemes"]): string {
  const schemes = new Set(Object.values(securitySchemes).map(({ scheme }) => scheme));
  return schemes.has("dpop") ? REFERENCE_TEXTS.sendDpop : REFERENCE_TEXTS.sendBearer;
}

function shapeSection({ components: { schemas } }: OpenApiDocument): Html {
  return html`<section class="stack" aria-labelledby="shapes"><h2 id="shapes">${REFERENCE_TEXTS.shapes}</h2>
${Object.entries(schemas).map(
  ([name, schema]) =>
    name !== REFUSAL &&
    html`<article class="card" id="shape-${name}" aria-labelledby="shape-${name}-name">
<h3 id="shape-${name}-name"><a class="anchor" href="#shape-${name}">${name}</a></h3>${memberList(membersOf(schema))}</article>`,
)}</section>`;
}

function codeSection({ components: { schemas } }: OpenApiDocument): Html {
  const codes = schemas[REFUSAL]?.properties?.["error"]?.properties?.["code"]?.anyOf ?? [];
  return html`<section class="stack" aria-labelledby="codes"><h2 id="codes">${REFERENCE_TEXTS.codes}</h2>
<p>${REFERENCE_TEXTS.codesHint}</p>
<dl class="members card">${codes.map(codeEntry)}</dl></section>`;
}

function codeEntry({ const: code, description = "" }: JsonSchema): Html {
  return html`<dt id="code-${code}"><code>${code}</code></dt><dd><p>${inline(description)}</p></dd>`;
}
