import { z } from "zod";
import type { JsonSchema, Parameter } from "./open-api.ts";

/** Writes schemas of a document: named ones once, as its components, and elsewhere as references. */
export interface JsonSchemas {
  readonly components: Readonly<Record<string, JsonSchema>>;
  readonly toSchema: (schema: z.ZodType) => JsonSchema;
  /** Writes the members of an object as parameters. */
  readonly parametersOf: (schema: z.ZodType | undefined, where: Parameter["in"]) => readonly Parameter[];
}

// No component has this name, and nothing refers to it.
const UNNAMED = "it";
const refTo = (name: string): string => `#/components/schemas/${name}`;

/**
 * Makes JSON Schemas from the schemas that the endpoints read by, as a sender must follow them.
 *
 * In: `named`, the schemas that are components. Refuses: never. Source: OpenAPI Specification 3.1.1, "Schema Object".
 */
export function createJsonSchemas(named: Readonly<Record<string, z.ZodType>>): JsonSchemas {
  const nameOf = new Map(Object.entries(named).map(([name, schema]) => [schema, name]));
  const write = (more: Readonly<Record<string, z.ZodType>>): Record<string, JsonSchema> => {
    const registry = z.registry<{ readonly id: string }>();
    for (const [id, schema] of Object.entries({ ...named, ...more })) registry.add(schema, { id });
    return z.toJSONSchema(registry, { uri: refTo, io: "input", override: simplify }).schemas as Record<
      string,
      JsonSchema
    >;
  };
  const toSchema = (schema: z.ZodType): JsonSchema => {
    const name = nameOf.get(schema);
    return name === undefined ? withoutHead(write({ [UNNAMED]: schema })[UNNAMED] ?? {}) : { $ref: refTo(name) };
  };
  return {
    components: Object.fromEntries(Object.entries(write({})).map(([name, schema]) => [name, withoutHead(schema)])),
    toSchema,
    parametersOf: (schema, where) => (schema === undefined ? [] : toParameters(toSchema(schema), where)),
  };
}

// A format tells a reader what the pattern beside it tells a machine. That member names are text, and whole numbers fit
// a double, is omitted.
function simplify({ jsonSchema }: { readonly jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  delete jsonSchema.propertyNames;
}

function withoutHead({ $schema: _schema, $id: _id, ...schema }: JsonSchema): JsonSchema {
  return schema;
}

function toParameters({ properties = {}, required = [] }: JsonSchema, where: Parameter["in"]): readonly Parameter[] {
  return Object.entries(properties).map(([name, { description, examples, ...schema }]) => ({
    name,
    in: where,
    required: required.includes(name),
    ...(description === undefined ? {} : { description }),
    schema,
    ...(examples === undefined ? {} : { example: (examples as readonly unknown[])[0] }),
  }));
}
