import type { ApiOperation, Parameter } from "./open-api.ts";

/** The shell variable of a credential, by the name of its security scheme. */
const VARIABLES: Readonly<Record<string, string>> = {
  apiKey: "API_KEY",
  walletToken: "WALLET_TOKEN",
  ingestSecret: "DS_INGEST_SECRET",
};

const MAX_LINE_CHARACTERS = 60;

/**
 * Writes a request as a shell command, with the document's own examples and the credential from a variable.
 *
 * Refuses: never.
 */
export function curlExample(
  origin: string,
  { method, path }: { method: string; path: string },
  operation: ApiOperation,
): string {
  const { parameters = [], security = [], requestBody, responses } = operation;
  const example = requestBody?.content["application/json"]?.example;
  const credential = Object.keys(security[0] ?? {})[0];
  const isImplied = method === (example === undefined ? "get" : "post");
  return [
    `curl ${isStream(responses) ? "-N " : ""}${isImplied ? "" : `-X ${method.toUpperCase()} `}${origin}${fill(path, parameters)}`,
    ...(credential === undefined ? [] : [`-H "Authorization: Bearer $${VARIABLES[credential]}"`]),
    ...(example === undefined ? [] : [`--json ${quote(writeJson(example))}`]),
  ].join(" \\\n  ");
}

function isStream(responses: ApiOperation["responses"]): boolean {
  return responses["200"]?.content?.["text/event-stream"] !== undefined;
}

function fill(path: string, parameters: readonly Parameter[]): string {
  return parameters.reduce(
    (filled, { name, example }) => (example === undefined ? filled : filled.replaceAll(`{${name}}`, String(example))),
    path,
  );
}

/** On one line where that is a short one. */
function writeJson(value: unknown): string {
  const line = JSON.stringify(value);
  return line.length > MAX_LINE_CHARACTERS ? JSON.stringify(value, null, 2) : line;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
