import {
  type GraphQLEnumType,
  type GraphQLInputObjectType,
  type GraphQLNamedType,
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

/** Writes a TypeScript declaration for each type that comes out of the vault, with the fields that the documents select. Refuses: never. */
export function writeResultTypes(schema: GraphQLSchema): string {
  return ownTypes(schema)
    .map((type) => {
      if (isEnumType(type)) return writeEnum(type);
      return isObjectType(type) && selectedFields(type).length > 0 ? writeObject(type) : "";
    })
    .join("\n");
}

/** Writes a TypeScript declaration for each type that goes into the vault. Refuses: never. */
export function writeInputTypes(schema: GraphQLSchema): string {
  return ownTypes(schema).filter(isInputObjectType).map(writeInput).join("\n");
}

function ownTypes(schema: GraphQLSchema): readonly GraphQLNamedType[] {
  return Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith("__") && !ROOTS.includes(name));
}

/** Writes a description as a docstring; an empty text when it is missing. Refuses: never. */
export function writeDocstring(description: string | null | undefined): string {
  return description ? `/** ${description.replaceAll("*/", "* /").replaceAll(/\s+/g, " ")} */\n` : "";
}

function docstringOf({
  name,
  description,
}: {
  readonly name: string;
  readonly description?: string | null | undefined;
}) {
  return writeDocstring(description ?? `\`${name}\` of the vault's GraphQL schema.`);
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
  return `${docstringOf(type)}export type ${type.name} = ${values.join(" | ")};\n`;
}

function writeObject(type: GraphQLObjectType): string {
  const fields = selectedFields(type).map(
    (field) => `${writeDocstring(field.description)}readonly ${field.name}: ${writeType(field.type)};\n`,
  );
  return `${docstringOf(type)}export interface ${type.name} {\n${fields.join("")}}\n`;
}

function writeInput(type: GraphQLInputObjectType): string {
  const fields = Object.values(type.getFields()).map((field) => {
    const value = OBJECT_INPUTS.includes(field.name) ? "object" : writeType(field.type);
    const isOptional = !isNonNullType(field.type) || field.defaultValue !== undefined;
    const member = isOptional ? `${field.name}?: ${value} | undefined` : `${field.name}: ${value}`;
    return `${writeDocstring(field.description)}readonly ${member};\n`;
  });
  return `${docstringOf(type)}export interface ${type.name} {\n${fields.join("")}}\n`;
}
