import { createJsonSchemas, type JsonSchemas } from "./json-schemas.ts";
import type { ApiAnswer, ApiOperation, OpenApiDocument, PathItem, SecurityScheme } from "./open-api.ts";
import { type Answer, CALLERS, type Operation, type OperationGroup } from "./operation.ts";
import { refusalAnswers, refusalBody } from "./refusal-answers.ts";
import { createWebhooks } from "./webhooks.ts";

const JSON_TYPE = "application/json";
const ABOUT = `The awareness service tells platforms what happened in vaults. Vaults hand their events over; consumers subscribe, and each matching event is posted to their endpoint, signed, in the order of its record's versions, for up to 24 hours. Who missed something reads the feed.

Every refusal is \`{"error":{"code","message"}}\` with the status of its code. Requests of one address are limited: \`RateLimit-Policy\` and \`RateLimit\` say how and where one stands. An address that is not listed here is 404 \`NOT_FOUND\`, another method of one that is 405 \`METHOD_NOT_ALLOWED\`.`;

const SECURITY_SCHEMES: Readonly<Record<string, SecurityScheme>> = {
  apiKey: {
    type: "http",
    scheme: "bearer",
    description:
      "An API key, `dsk_...`, made by a wallet. In the development stack a call of this machine without a credential is the consumer `dev`.",
  },
  walletToken: {
    type: "http",
    scheme: "bearer",
    bearerFormat: "JWT",
    description:
      "A wallet token whose `aud` is this service's origin: its eName is the consumer. It serves any number of reads and one request that writes.",
  },
  platformSession: {
    type: "http",
    scheme: "dpop",
    description:
      "A platform's session of a handshake, `dss_...`, as `Authorization: DPoP` with a proof of its own in the header `DPoP` (RFC 9449). The consumer is the platform. One proof serves one request.",
  },
  ingestSecret: {
    type: "http",
    scheme: "bearer",
    description: "DS_INGEST_SECRET, which the operator gives to the vaults.",
  },
};

/**
 * Writes the OpenAPI document of groups of operations and of the outgoing webhooks.
 *
 * In: `origin`, the service's own. Refuses: never. Source: OpenAPI Specification 3.1.1.
 */
export function createOpenApiDocument(origin: string, groups: readonly OperationGroup[]): OpenApiDocument {
  const named = Object.assign({ Refusal: refusalBody }, ...groups.map(({ schemas }) => schemas));
  const schemas = createJsonSchemas(named);
  const paths: Record<string, PathItem> = {};
  for (const group of groups) {
    for (const operation of group.operations) {
      const path = operation.route.replaceAll(/:(\w+)/g, "{$1}");
      paths[path] = { ...paths[path], [operation.method]: toApiOperation(operation, group, schemas) };
    }
  }
  return {
    openapi: "3.1.1",
    info: {
      title: "Dataspace awareness service",
      version: "1",
      summary: "Events to subscribers.",
      description: ABOUT,
      license: { name: "Apache License 2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: origin }],
    tags: [
      ...groups.map(({ name, says }) => ({ name, description: says })),
      { name: "Webhooks", description: "What the service sends to subscribers, after Standard Webhooks 1.0." },
    ],
    paths,
    webhooks: createWebhooks(schemas),
    components: { schemas: schemas.components, securitySchemes: SECURITY_SCHEMES },
  };
}

function toApiOperation(operation: Operation, group: OperationGroup, schemas: JsonSchemas): ApiOperation {
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
    description: `${operation.says}\n\n${CALLERS[operation.caller].says}`,
    security: CALLERS[operation.caller].shows.map((scheme) => ({ [scheme]: [] })),
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
      ...refusalAnswers(operation),
    },
  };
}

function toApiAnswer({ says, mediaType = JSON_TYPE, schema, example }: Answer, schemas: JsonSchemas): ApiAnswer {
  if (schema === undefined) return { description: says };
  const content = { schema: schemas.toSchema(schema), ...(example === undefined ? {} : { example }) };
  return { description: says, content: { [mediaType]: content } };
}
