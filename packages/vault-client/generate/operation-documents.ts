import {
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNamedType,
  isObjectType,
  type OperationTypeNode,
} from "graphql";

type Field = GraphQLField<unknown, unknown>;

/** What the documents leave out: it repeats `parsed` or `fieldKey`, or the vault counts it only when it is selected. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  "MetaEnvelope.envelopes",
  "BindingDocument.envelopes",
  "BindingDocument.ontology",
  "BindingDocument.parsed",
  "Envelope.ontology",
  "StoreMetaEnvelopeResult.envelopes",
  "MetaEnvelopeConnection.totalCount",
  "MetaEnvelopeVersionConnection.totalCount",
  "BindingDocumentConnection.totalCount",
]);

/** The fields of a type that the documents select. Refuses: never. */
export function selectedFields(type: GraphQLObjectType): readonly Field[] {
  return Object.values(type.getFields()).filter(({ name }) => !LEFT_OUT.has(`${type.name}.${name}`));
}

/** Writes the GraphQL document of one operation, which selects every field that is not left out. Refuses: never. */
export function writeDocument(kind: OperationTypeNode, field: Field): string {
  const declared = field.args.map(({ name, type }) => `$${name}: ${type}`).join(", ");
  const passed = field.args.map(({ name }) => `${name}: $${name}`).join(", ");
  const call = field.args.length === 0 ? field.name : `${field.name}(${passed})`;
  const head = field.args.length === 0 ? `${kind} ${field.name}` : `${kind} ${field.name}(${declared})`;
  return `${head} { ${call}${writeSelection(field.type)} }`;
}

function writeSelection(type: GraphQLOutputType): string {
  const named = getNamedType(type);
  if (!isObjectType(named)) return "";
  const fields = selectedFields(named).map((field) => field.name + writeSelection(field.type));
  return ` { ${fields.join(" ")} }`;
}
