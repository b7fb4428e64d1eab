import type { CallerName, Operation } from "./operation.ts";
import type { Scene } from "./scene.ts";

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly minimum?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

interface ApiOperation {
  readonly parameters?: readonly {
    readonly in: string;
    readonly name: string;
    readonly example?: unknown;
    readonly schema: Schema;
  }[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>;
  };
}

/** An OpenAPI 3.1 document, as far as attacks need it. */
export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>;
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> };
}

const CALLERS: readonly CallerName[] = ["nobody", "forger", "api key", "consumer wallet", "ingest secret"];

/**
 * Makes an operation of each path and method of an OpenAPI document. Each optional member and parameter gets an example, so that it
 * is attacked too. Refuses: never.
 */
export function operationsOfOpenApi(
  where: { readonly service: string; readonly origin: string },
  document: OpenApiDocument,
  scene: Scene,
): readonly Operation[] {
  return Object.entries(document.paths).flatMap(([template, item]) =>
    Object.entries(item).map(([method, { parameters = [], requestBody }]): Operation => {
      const path = template.replaceAll(/\{(\w+)\}/g, ":$1");
      const content = requestBody?.content["application/json"];
      const ofKind = (kind: string): Readonly<Record<string, string>> =>
        Object.fromEntries(
          parameters
            .filter((parameter) => parameter.in === kind)
            .map(({ name, schema, example }) => [name, String(example ?? exampleOf(schema, document, name))]),
        );
      const params = {
        ...ofKind("path"),
        ...(path.startsWith("/api/subscriptions/:id") ? { id: scene.ids.subscription } : {}),
      };
      const value = content && complete(content.schema, content.example, document);
      return {
        ...where,
        name: `${method.toUpperCase()} ${path}`,
        method: method.toUpperCase(),
        path,
        // A subscription that is removed leaves nothing for the attacks that follow.
        params: method === "delete" && "id" in params ? { id: "8d3f5a52-6c1e-4e0b-9d57-2b1f0c9a7e64" } : params,
        query: ofKind("query"),
        headers: ofKind("header"),
        body:
          value === undefined
            ? undefined
            : { kind: "json", value: value as Readonly<Record<string, unknown>>, fixed: [] },
        callers: CALLERS,
      };
    }),
  );
}

function complete(schema: Schema, example: unknown, document: OpenApiDocument): unknown {
  const { properties = {} } = resolve(schema, document);
  const missing = Object.entries(properties).map(([name, member]) => [name, exampleOf(member, document, name)]);
  if (typeof example !== "object" || example === null) return example ?? Object.fromEntries(missing);
  return { ...Object.fromEntries(missing), ...example };
}

function exampleOf(given: Schema, document: OpenApiDocument, name: string): unknown {
  const schema = resolve(given, document);
  if (schema.enum !== undefined) return schema.enum[0];
  switch (schema.type) {
    case "integer":
    case "number":
      return schema.minimum ?? 1;
    case "boolean":
      return false;
    case "array":
      return [exampleOf(schema.items ?? {}, document, name)];
    case "object":
      return complete(schema, undefined, document);
    default:
      return exampleText(schema.format, name);
  }
}

function exampleText(format: string | undefined, name: string): string {
  if (format === "uuid") return "8d3f5a52-6c1e-4e0b-9d57-2b1f0c9a7e64";
  if (format === "date-time") return "2026-11-22T09:00:00Z";
  if (/vault|ename/i.test(name)) return "@7c0e8b5a-4f3d-4a41-9f4c-1d2e3f405162";
  if (/secret/i.test(name)) return `whsec_${"QUFB".repeat(8)}`;
  return /cursor|last-event-id/i.test(name) ? "1" : "a";
}

function resolve(schema: Schema, document: OpenApiDocument): Schema {
  const name = schema.$ref?.split("/").at(-1);
  const found = name === undefined ? schema : (document.components?.schemas?.[name] ?? {});
  return found.anyOf?.[0] === undefined ? found : resolve(found.anyOf[0], document);
}
