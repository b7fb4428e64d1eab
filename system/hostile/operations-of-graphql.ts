import {
  buildSchema,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLOutputType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isObjectType,
} from "graphql";
import type { CallerName, Operation } from "./operation.ts";
import type { Scene } from "./scene.ts";

const CALLERS: readonly CallerName[] = ["nobody", "forger", "owner", "stranger", "legacy platform"];
const SELECTED_LEVELS = 5;

/** Makes an operation of each field of Query and Mutation, each argument given as a variable. Refuses: never. */
export function operationsOfGraphQL(
  where: { readonly service: string; readonly origin: string },
  schemaText: string,
  scene: Scene,
): readonly Operation[] {
  const schema = buildSchema(schemaText);
  return (["query", "mutation"] as const).flatMap((kind) => {
    const root = kind === "query" ? schema.getQueryType() : schema.getMutationType();
    return Object.values(root?.getFields() ?? {}).map((field): Operation => {
      const value = {
        query: writeDocument(kind, field),
        operationName: "it",
        variables: exampleArguments(field, scene),
      };
      return {
        ...where,
        name: `POST /graphql ${field.name}`,
        method: "POST",
        path: "/graphql",
        params: {},
        query: {},
        headers: { "X-ENAME": scene.owner },
        body: { kind: "json", value, fixed: ["query"] },
        callers: CALLERS,
      };
    });
  });
}

function writeDocument(kind: string, { name, args, type }: GraphQLField<unknown, unknown>): string {
  const head = args.length === 0 ? "" : `(${args.map((arg) => `$${arg.name}: ${arg.type}`).join(", ")})`;
  const given = args.length === 0 ? "" : `(${args.map((arg) => `${arg.name}: $${arg.name}`).join(", ")})`;
  return `${kind} it${head} { ${name}${given}${writeSelection(type, SELECTED_LEVELS)} }`;
}

function writeSelection(type: GraphQLOutputType, levels: number): string {
  const named = getNamedType(type);
  if (!isObjectType(named)) return "";
  const fields = Object.values(named.getFields()).filter(
    (field) => levels > 1 || !isObjectType(getNamedType(field.type)),
  );
  return ` { ${fields.map((field) => field.name + writeSelection(field.type, levels - 1)).join(" ")} }`;
}

function exampleArguments(
  { name, args }: GraphQLField<unknown, unknown>,
  scene: Scene,
): Readonly<Record<string, unknown>> {
  // Paging forward and backward at once is refused, so the example pages forward.
  const asked = args.filter((arg) => arg.name !== "last" && arg.name !== "before" && arg.name !== "after");
  const examples = Object.fromEntries(
    asked.map((arg: GraphQLArgument) => [arg.name, exampleOf(arg.type, arg.name, scene)]),
  );
  const id = name.startsWith("remove") || name.startsWith("delete") ? "no-such-record" : scene.ids.record;
  return "id" in examples ? { ...examples, id } : examples;
}

function exampleOf(given: GraphQLInputType, name: string, scene: Scene): unknown {
  const type = getNullableType(given);
  if (isListType(type)) return [exampleOf(type.ofType, name, scene)];
  if (isEnumType(type)) return type.getValues()[0]?.name;
  if (isInputObjectType(type)) {
    const members = Object.values(type.getFields()).map((field) => [
      field.name,
      exampleOf(field.type, field.name, scene),
    ]);
    return Object.fromEntries(members.filter(([member]) => member !== "_acl" || type.name === "MetaEnvelopeInput"));
  }
  return EXAMPLES[name]?.(scene) ?? EXAMPLES[String(type)]?.(scene);
}

/** By the name of the argument or member, else by its scalar type. */
const EXAMPLES: Readonly<Record<string, (scene: Scene) => unknown>> = {
  acl: ({ owner }) => owner,
  _acl: ({ owner, stranger }) => ({
    v: 1,
    grants: [
      { ename: owner, perms: 15 },
      { ename: stranger, perms: 1 },
    ],
    denials: {
      enames: [],
      conditions: [{ ontology: "score-v1", path: "$.score", op: ">=", value: 1, issuer: stranger, maxAgeSeconds: 60 }],
    },
    default_perms: 0,
    require: [],
  }),
  bindingDocumentId: ({ ids }) => ids.bindingDocument,
  content: () => Buffer.from("hello").toString("base64"),
  contentType: () => "text/plain",
  data: () => ({ name: "Ada", parties: [], relation_description: "friends" }),
  envelopeId: ({ ids }) => ids.envelope,
  fields: () => "title",
  filename: () => "a.txt",
  ontology: () => "note-v1",
  ontologyId: () => "note-v1",
  payload: () => ({ title: "A note", likes: 3, nested: { list: [1, "a", null, true] } }),
  signature: () => "A".repeat(86),
  signer: ({ owner }) => owner,
  subject: ({ owner }) => owner,
  term: () => "note",
  timestamp: () => "2026-11-22T09:00:00.000Z",
  Boolean: () => false,
  Float: () => 1,
  ID: ({ ids }) => ids.record,
  Int: () => 1,
  JSON: () => ({ a: 1 }),
  String: ({ ids }) => ids.record,
};
