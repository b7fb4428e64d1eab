import { copyableBlock } from "@dataspace/ui/copyable";
import { html } from "hono/html";
import type { Html } from "@dataspace/ui/html";
import type { Api } from "./api.ts";
import { curlExample } from "./curl-example.ts";
import type { ApiAnswer, ApiOperation, JsonSchema, OpenApiDocument, Parameter } from "./open-api.ts";
import { inline, prose, sample } from "./prose.ts";
import { OPERATION_TEXTS } from "./reference-texts.ts";
import { innerObject, memberList, membersOf, typeWords } from "./schema-members.ts";

/** An operation with its address. `path` is undefined for a webhook, whose address is in its subscription. */
export interface PlacedOperation {
  readonly method: string;
  readonly path: string | undefined;
  readonly operation: ApiOperation;
}

/** Shows the complete description of one operation. Refuses: never. */
export function operationArticle(document: OpenApiDocument, api: Api, placed: PlacedOperation): Html {
  const { method, path, operation } = placed;
  const { operationId, summary, description, parameters = [], requestBody } = operation;
  // By their text: objects put whole numbers before 2XX.
  const answers = Object.entries(operation.responses).sort(([one], [other]) => (one < other ? -1 : 1));
  return html`<article class="card" id="${operationId}" aria-labelledby="${operationId}-name">
<h3 id="${operationId}-name"><a class="anchor" href="#${operationId}">${summary}</a></h3>
<p class="route"><span class="method">${method.toUpperCase()}</span> <code>${path ?? OPERATION_TEXTS.webhookAddress}</code></p>
${prose(description)}
${path && credentials(operation)}
${(["path", "query", "header"] as const).map((where) => parameterSection(where, parameters))}
${requestBody && bodySection(requestBody)}
${path === undefined ? webhookExample(operation) : tryIt(api, { method, url: `${document.servers[0]?.url ?? ""}${path}` }, operation)}
<h4>${OPERATION_TEXTS.answers}</h4>
${answers.filter(([, answer]) => !isRefusal(answer)).map(([status, answer]) => answerSection(summary, status, answer))}
${refusals(answers.filter(([, answer]) => isRefusal(answer)))}
</article>`;
}

function credentials({ security = [] }: ApiOperation): Html {
  const names = security.flatMap((one) => Object.keys(one));
  if (names.length === 0) return html``;
  const links = names.map(
    (name, place) => html`${place > 0 && OPERATION_TEXTS.or}<a href="#credential-${name}">${name}</a>`,
  );
  return html`<p class="muted">${OPERATION_TEXTS.needs(html`${links}`)}</p>`;
}

function parameterSection(where: Parameter["in"], parameters: readonly Parameter[]): Html {
  const own = parameters.filter((one) => one.in === where);
  return own.length === 0 ? html`` : html`<h4>${OPERATION_TEXTS.places[where]}</h4>${memberList(own)}`;
}

function bodySection({ required, content }: NonNullable<ApiOperation["requestBody"]>): Html {
  const schema = content["application/json"]?.schema ?? {};
  return html`<h4>${required ? OPERATION_TEXTS.body : OPERATION_TEXTS.optionalBody}</h4>${shape(schema)}`;
}

/** The content of a body: its members, or a description where it has a name or no members of its own. */
function shape(schema: JsonSchema): Html {
  const inner = innerObject(schema);
  return inner === undefined || schema.anyOf !== undefined
    ? html`<p>${OPERATION_TEXTS.json(typeWords(schema))}</p>`
    : memberList(membersOf(inner));
}

function tryIt(api: Api, at: { readonly method: string; readonly url: string }, operation: ApiOperation): Html {
  const line = curlExample(api, at, operation);
  return html`<h4>${OPERATION_TEXTS.tryIt}</h4>${copyableBlock(line, OPERATION_TEXTS.request(operation.summary))}`;
}

/** A received webhook, with the body's exact text, since that is what is signed. */
function webhookExample({ parameters = [], requestBody }: ApiOperation): Html {
  const headers = parameters
    .filter(({ example }) => example !== undefined)
    .map(({ name, example }) => `${name}: ${example}`);
  const body = JSON.stringify(requestBody?.content["application/json"]?.example);
  return html`<h4>${OPERATION_TEXTS.example}</h4>${sample(`${headers.join("\n")}\n\n${body}`)}`;
}

function answerSection(summary: string, status: string, { description, content = {} }: ApiAnswer): Html {
  const [type, body] = Object.entries(content)[0] ?? [];
  const isJson = type === "application/json" && body !== undefined;
  return html`<div class="answer"><p><strong class="status">${status === "default" ? OPERATION_TEXTS.otherStatus : status}</strong> ${inline(description)}${type && !isJson && html` <span class="muted">${type}</span>`}</p>
${isJson && shape(body.schema)}
${body?.example !== undefined && html`<details><summary>${OPERATION_TEXTS.exampleOf(status)}<span class="spoken">${OPERATION_TEXTS.exampleOfSpoken(summary)}</span></summary>${sample(body.example)}</details>`}</div>`;
}

function isRefusal({ content }: ApiAnswer): boolean {
  return codesOf(content?.["application/json"]?.schema).length > 0;
}

function refusals(answers: readonly (readonly [string, ApiAnswer])[]): Html {
  if (answers.length === 0) return html``;
  return html`<dl class="refusals">${answers.map(
    ([status, { content }]) =>
      html`<div><dt>${status}</dt><dd>${codesOf(content?.["application/json"]?.schema).map(
        (code) => html`<a href="#code-${code}"><code>${code}</code></a> `,
      )}</dd></div>`,
  )}</dl>`;
}

function codesOf(schema: JsonSchema | undefined): readonly string[] {
  const codes = schema?.allOf?.[1]?.properties?.["error"]?.properties?.["code"]?.enum ?? [];
  return codes as readonly string[];
}
