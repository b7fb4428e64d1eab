import type { Api, ShellVariable } from "./api.ts";
import type { ApiOperation, Parameter } from "./open-api.ts";

const MAX_LINE_CHARACTERS = 60;

/**
 * Writes a request as a shell command, with the document's own examples. Variables come first, each with the command that fills it
 * beside a development stack.
 *
 * Refuses: never.
 */
export function curlExample(
  { credentials, more }: Pick<Api, "credentials" | "more">,
  { method, url }: { readonly method: string; readonly url: string },
  operation: ApiOperation,
): string {
  const { parameters = [], security = [], requestBody, responses } = operation;
  const example = requestBody?.content["application/json"]?.example;
  const credential = credentials[Object.keys(security[0] ?? {})[0] ?? ""]?.variable;
  const filled = parameters
    .filter(({ required }) => required)
    .map((parameter) => fillParameter(parameter, more?.variables));
  const variables = [...filled.map(({ variable }) => variable), credential].filter((one) => one !== undefined);
  const request = [
    `curl ${flagsOf(method, { hasBody: example !== undefined, isStream: isStream(responses) })}${quoteUrl(fillUrl(url, filled))}`,
    ...filled.flatMap(({ in: where, name, value }) => (where === "header" ? [`-H "${name}: ${value}"`] : [])),
    ...(credential === undefined ? [] : [`-H "Authorization: Bearer $${credential.name}"`]),
    ...(example === undefined ? [] : [`--json ${quote(writeJson(example))}`]),
  ].join(" \\\n  ");
  return [...new Set(variables.map(assign)), request].join("\n");
}

interface FilledParameter extends Pick<Parameter, "name" | "in"> {
  readonly value: string;
  readonly variable: ShellVariable | undefined;
}

function fillParameter(
  { name, in: where, example }: Parameter,
  variables: Readonly<Record<string, ShellVariable>> = {},
): FilledParameter {
  const variable = variables[name];
  return {
    name,
    in: where,
    variable,
    value: variable === undefined ? String(example ?? `<${name}>`) : `$${variable.name}`,
  };
}

function fillUrl(url: string, filled: readonly FilledParameter[]): string {
  const path = filled.reduce((text, { name, value }) => text.replaceAll(`{${name}}`, value), url);
  const query = filled.flatMap(({ in: where, name, value }) => (where === "query" ? [`${name}=${value}`] : []));
  return query.length === 0 ? path : `${path}?${query.join("&")}`;
}

/** The shell reads `&`, `?` and spaces itself, unless the address is quoted. */
function quoteUrl(url: string): string {
  return /^[\w:/.{}-]+$/.test(url) ? url : `"${url}"`;
}

function flagsOf(
  method: string,
  { hasBody, isStream }: { readonly hasBody: boolean; readonly isStream: boolean },
): string {
  if (method === "head") return "-I ";
  const isImplied = method === (hasBody ? "post" : "get");
  return `${isStream ? "-N " : ""}${isImplied ? "" : `-X ${method.toUpperCase()} `}`;
}

function assign({ name, command }: ShellVariable): string {
  return `${name}=$(${command})`;
}

function isStream(responses: ApiOperation["responses"]): boolean {
  return responses["200"]?.content?.["text/event-stream"] !== undefined;
}

/** On one line where that is a short one. */
function writeJson(value: unknown): string {
  const line = JSON.stringify(value);
  return line.length > MAX_LINE_CHARACTERS ? JSON.stringify(value, null, 2) : line;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
