import assert from "node:assert/strict";
import { createOpenApiDocument } from "@dataspace/api-reference/openapi-document";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import type { ApiOperation, Parameter } from "@dataspace/api-reference/open-api";
import { awarenessApi } from "../../src/reference/awareness-api.ts";

/** A request and what came of it. */
export interface Exchange {
  readonly method: string;
  readonly url: string;
  readonly sent: unknown;
  readonly status: number;
  readonly body: unknown;
}

/** The document against which everything is held. */
export const DOCUMENT: ReturnType<typeof createOpenApiDocument> = createOpenApiDocument(
  "https://awareness.test",
  awarenessApi,
);

const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);
ajv.addSchema(DOCUMENT, "document");
/** Query texts become numbers, and one of a list a list, as the parameters' schemas say. */
const coercing = new Ajv2020({ strict: false, coerceTypes: "array" });
formats.default(coercing);
coercing.addSchema(DOCUMENT, "document");

/** Holds a value against a schema of the document, which `at` leads to. */
export function assertConforms(value: unknown, at: readonly string[], what: string): void {
  const pointer = at.map((part) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"))).join("/");
  const validate = ajv.getSchema(`document#/${pointer}`);
  assert.ok(validate !== undefined, `the document has nothing at ${pointer}`);
  assert.ok(validate(value), `${what}: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(value)}`);
}

/**
 * Holds an exchange against the document: its answer is one that the document lists for its operation, and a request that was not
 * refused is one that the document admits.
 */
export function assertDocumented({ method, url, sent, status, body }: Exchange): void {
  const { pathname, searchParams } = new URL(url);
  const path = Object.keys(DOCUMENT.paths).find((one) => toPattern(one).test(pathname));
  const operation = path === undefined ? undefined : DOCUMENT.paths[path]?.[method.toLowerCase()];
  const what = `${method} ${pathname} ${status}`;
  if (path === undefined || operation === undefined) {
    assert.ok(status === 404 || status === 405, `${what} is an answer of an address that the document lacks`);
    assertConforms(body, ["components", "schemas", "Refusal"], what);
    return;
  }
  const answer = operation.responses[status];
  assert.ok(answer !== undefined, `${what} is not in the document, with ${JSON.stringify(body)}`);
  const at = ["paths", path, method.toLowerCase()];
  if (answer.content === undefined) assert.equal(body, undefined, what);
  else assertConforms(body, [...at, "responses", String(status), "content", "application/json", "schema"], what);
  if (status < 200 || status > 299) return;
  assertQueryAdmitted(operation, searchParams, what);
  if (operation.requestBody === undefined) return;
  assert.ok(sent !== undefined || !operation.requestBody.required, `${what} has no body`);
  if (sent === undefined) return;
  const value = typeof sent === "string" ? JSON.parse(sent) : JSON.parse(JSON.stringify(sent));
  assertConforms(value, [...at, "requestBody", "content", "application/json", "schema"], `${what}, its body`);
}

function assertQueryAdmitted({ parameters = [] }: ApiOperation, query: URLSearchParams, what: string): void {
  for (const name of new Set(query.keys())) {
    const parameter = parameters.find((one) => one.name === name && one.in === "query");
    assert.ok(parameter !== undefined, `${what}: the document lacks the parameter ${name}`);
    assert.ok(
      coercing.validate(parameter.schema, readParameter(query, parameter)),
      `${what} ${name}: ${coercing.errorsText()}`,
    );
  }
}

function readParameter(query: URLSearchParams, { name, schema }: Parameter): string | readonly string[] {
  const values = query.getAll(name);
  return schema.type === "array" || values.length !== 1 ? values : (values[0] as string);
}

function toPattern(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(".", "\\.").replaceAll(/\{\w+\}/g, "[^/]+")}$`);
}
