import type { Api, Credential } from "./api.ts";
import { createJsonSchemas, type JsonSchemas } from "./json-schemas.ts";
import type { ApiAnswer, ApiOperation, OpenApiDocument, PathItem, SecurityScheme } from "./open-api.ts";
import type { Answer, Operation, OperationGroup } from "./operation.ts";
import { createRefusalBody, refusalAnswers } from "./refusal-answers.ts";

const JSON_TYPE = "application/json";
/**
 * Writes the OpenAPI document of an API, its outgoing webhooks included.
 *
 * In: `origin`, the service's own. Refuses: never. Source: OpenAPI Specification 3.1.1.
 */
export function createOpenApiDocument(origin: string, api: Api): OpenApiDocument {
  const { info, groups, more = {} } = api;
  const named = Object.assign({ Refusal: createRefusalBody(api) }, ...groups.map(({ schemas }) => schemas));
  const schemas = createJsonSchemas(named);
  const paths: Record<string, PathItem> = {};
  for (const group of groups) {
    for (const operation of group.operations) {
      const path = operation.route.replaceAll(/:(\w+)/g, "{$1}");
      paths[path] = { ...paths[path], [operation.method]: toApiOperation(api, { operation, group, schemas }) };
    }
  }
  return {
    openapi: "3.1.1",
    info: {
      title: info.title,
      version: "1",
      summary: info.summary,
      description: info.about,
      license: { name: "Apache License 2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: origin }],
    tags: [
      ...groups.map(({ name, says }) => ({ name, description: says })),
      ...(more.webhooks === undefined ? [] : [{ name: "Webhooks", description: more.webhooks.says }]),
    ],
    paths,
    webhooks: more.webhooks?.create(schemas) ?? {},
    components: { schemas: schemas.components, securitySchemes: toSecuritySchemes(api.credentials) },
  };
}

function toSecuritySchemes(
  credentials: Readonly<Record<string, Credential>>,
): Readonly<Record<string, SecurityScheme>> {
  return Object.fromEntries(
    Object.entries(credentials).map(([name, { description, scheme = "bearer", bearerFormat }]) => [
      name,
      { type: "http", scheme, ...(bearerFormat === undefined ? {} : { bearerFormat }), description },
    ]),
  );
}

interface Placed {
  readonly operation: Operation;
  readonly group: OperationGroup;
  readonly schemas: JsonSchemas;
}

function toApiOperation(api: Api, { operation, group, schemas }: Placed): ApiOperation {
  const caller = api.callers[operation.caller];
  const parameters = [
    ...schemas.parametersOf(operation.path, "path"),
    ...schemas.parametersOf(operation.query, "query"),
    ...schemas.parametersOf(operation.headers, "header"),
  ];
  const { body } = operation;
  return {
    operationId: operation.id,
    tags: [group.name],
    summary: operation.summary,
    description: `${operation.says}\n\n${caller?.says}`,
    security: (caller?.shows ?? []).map((scheme) => ({ [scheme]: [] })),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: body.required,
            content: { [JSON_TYPE]: { schema: schemas.toSchema(body.schema), example: body.example } },
          },
        }),
    responses: {
      ...Object.fromEntries(operation.answers.map((answer) => [answer.status, toApiAnswer(answer, schemas)])),
      ...refusalAnswers(api, operation),
    },
  };
}

function toApiAnswer({ says, mediaType = JSON_TYPE, schema, example }: Answer, schemas: JsonSchemas): ApiAnswer {
  if (schema === undefined) return { description: says };
  const content = { schema: schemas.toSchema(schema), ...(example === undefined ? {} : { example }) };
  return { description: says, content: { [mediaType]: content } };
}
