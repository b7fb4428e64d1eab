import { readFileSync } from "node:fs";
import { buildSchema, type GraphQLSchema, isObjectType, isScalarType } from "graphql";
import { JSON_SCALAR } from "./json-scalar.ts";
import { LEGACY_RESOLVERS } from "./legacy-resolvers.ts";
import type { ResolverContext } from "./resolver.ts";
import { RESOLVERS } from "./resolvers.ts";

/** The published GraphQL schema. Source: S1 "GraphQL queries", "GraphQL mutations"; decision V1. */
export const SCHEMA_TEXT: string = readFileSync(new URL("./schema.graphql", import.meta.url), "utf8");

/**
 * Builds the schema and assigns each resolver to its field.
 *
 * Refuses: an Error at start when a resolver has no field in the schema. A field without a resolver reads the member of
 * its source.
 */
export function buildVaultSchema(): GraphQLSchema {
  const schema = buildSchema(SCHEMA_TEXT);
  const json = schema.getType("JSON");
  if (isScalarType(json)) Object.assign(json, JSON_SCALAR);
  for (const [typeName, resolvers] of [...Object.entries(RESOLVERS), ...Object.entries(LEGACY_RESOLVERS)]) {
    const type = schema.getType(typeName);
    const fields = isObjectType(type) ? type.getFields() : {};
    for (const [fieldName, resolver] of Object.entries(resolvers)) {
      const field = fields[fieldName];
      if (field === undefined) throw new Error(`the schema has no field ${typeName}.${fieldName}`);
      field.resolve = (source, args, context) => resolver(source as never, args as never, context as ResolverContext);
    }
  }
  return schema;
}
