import {
  type GraphQLEnumType,
  type GraphQLInputObjectType,
  type GraphQLObjectType,
  type GraphQLSchema,
  type GraphQLType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
} from "graphql";
import { selectedFields } from "./operation-documents.ts";

const SCALARS: Readonly<Record<string, string>> = {
  ID: "string",
  String: "string",
  Int: "number",
  Float: "number",
  Boolean: "boolean",
  JSON: "unknown",
};
/** JSON that the schema's own words say is an object. */
const OBJECT_INPUTS: readonly string[] = ["payload", "data"];
const ROOTS: readonly string[] = ["Query", "Mutation"];

/** Writes a TypeScript declaration for each type of the schema, with the fields that the documents select. Refuses: never. */
export function schemaToTypes(schema: GraphQLSchema): string {
  const types = Object.values(schema.getTypeMap()).filter(
    ({ name }) => !name.startsWith("__") && !ROOTS.includes(name),
  );
  return types
    .map((type) => {
      if (isEnumType(type)) return writeEnum(type);
      if (isInputObjectType(type)) return writeInput(type);
      return isObjectType(type) && selectedFields(type).length > 0 ? writeObject(type) : "";
    })
    .filter((text) => text !== "")
    .join("\n");
}

/** Writes a description as a docstring; an empty text when there is none. Refuses: never. */
export function writeDocstring(description: string | null | undefined): string {
  return description ? `/** ${description.replaceAll("*/", "* /").replaceAll(/\s+/g, " ")} */\n` : "";
}

/** Writes the TypeScript type of a value that comes out of the vault, or goes in. Refuses: never. */
export function writeType(type: GraphQLType): string {
  if (!isNonNullType(type)) {
    const text = writeNonNull(type);
    return text === "unknown" ? text : `${text} | null`;
  }
  return writeNonNull(type.ofType);
}

function writeNonNull(type: GraphQLType): string {
  if (isListType(type)) return `readonly (${writeType(type.ofType)})[]`;
  const { name } = type as { readonly name: string };
  return SCALARS[name] ?? name;
}

function writeEnum(type: GraphQLEnumType): string {
  const values = type.getValues().map(({ name }) => JSON.stringify(name));
  return `${writeDocstring(type.description)}export type ${type.name} = ${values.join(" | ")};\n`;
}

function writeObject(type: GraphQLObjectType): string {
  const fields = selectedFields(type).map(
    (field) => `${writeDocstring(field.description)}readonly ${field.name}: ${writeType(field.type)};\n`,
  );
  return `${writeDocstring(type.description)}export interface ${type.name} {\n${fields.join("")}}\n`;
}

function writeInput(type: GraphQLInputObjectType): string {
  const fields = Object.values(type.getFields()).map((field) => {
    const value = OBJECT_INPUTS.includes(field.name) ? "object" : writeType(field.type);
    const isOptional = !isNonNullType(field.type) || field.defaultValue !== undefined;
    const member = isOptional ? `${field.name}?: ${value} | undefined` : `${field.name}: ${value}`;
    return `${writeDocstring(field.description)}readonly ${member};\n`;
  });
  return `${writeDocstring(type.description)}export interface ${type.name} {\n${fields.join("")}}\n`;
}
