import type { Operation } from "./operation.ts";
import { oracleEnvelopeId } from "./oracle-writes.ts";

/** One operation as GraphQL writes it: its variables' types, its root field, and the variables. */
interface Field {
  readonly types: Readonly<Record<string, string>>;
  readonly field: (name: (variable: string) => string) => string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** A GraphQL request. */
export interface Document {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

const INPUT = "MetaEnvelopeInput!";

/** Writes operations as one GraphQL request, each under the alias `o0`, `o1` and so on; they are all reads or all writes. */
export function writeDocument(operations: readonly Operation[], policies: boolean): Document {
  const fields = operations.map((operation) => toField(operation, policies));
  const variables: Record<string, unknown> = {};
  const types: string[] = [];
  const roots = fields.map((field, index) => {
    for (const [name, type] of Object.entries(field.types)) types.push(`$${name}${index}: ${type}`);
    for (const [name, value] of Object.entries(field.variables)) variables[`${name}${index}`] = value;
    return `o${index}: ${field.field((name) => `$${name}${index}`)}`;
  });
  const kind = isWrite(operations[0]!) ? "mutation" : "query";
  return { query: `${kind}${types.length > 0 ? ` (${types.join(", ")})` : ""} { ${roots.join(" ")} }`, variables };
}

/** Returns whether an operation writes. */
export function isWrite(operation: Operation): boolean {
  return !["read", "getById", "list", "find", "search", "all", "history", "logs"].includes(operation.do);
}

function toField(operation: Operation, policies: boolean): Field {
  const record = `id ontology parsed envelopes { id fieldKey ontology value valueType }${policies ? " _acl { v default_perms grants { ename perms } denials { enames conditions { path } } require { path } }" : ""}`;
  const errors = "errors { field message code }";
  const byId = (type: string, call: string, selection: string): Field => ({
    types: { id: type },
    field: ($) => `${call}(id: ${$("id")})${selection}`,
    variables: { id: (operation as { id: string }).id },
  });
  switch (operation.do) {
    case "create":
      return {
        types: { input: INPUT },
        variables: { input: operation.input },
        field: ($) => `createMetaEnvelope(input: ${$("input")}) { metaEnvelope { ${record} } ${errors} }`,
      };
    case "store":
      return {
        types: { input: INPUT },
        variables: { input: operation.input },
        field: ($) => `storeMetaEnvelope(input: ${$("input")}) { metaEnvelope { ${record} } }`,
      };
    case "update":
      return {
        types: { id: "ID!", input: INPUT },
        variables: { id: operation.id, input: operation.input },
        field: ($) =>
          `updateMetaEnvelope(id: ${$("id")}, input: ${$("input")}) { metaEnvelope { ${record} } ${errors} }`,
      };
    case "updateById":
      return {
        types: { id: "String!", input: INPUT },
        variables: { id: operation.id, input: operation.input },
        field: ($) => `updateMetaEnvelopeById(id: ${$("id")}, input: ${$("input")}) { metaEnvelope { ${record} } }`,
      };
    case "remove":
      return byId("ID!", "removeMetaEnvelope", " { deletedId success errors { message code } }");
    case "deleteById":
      return byId("String!", "deleteMetaEnvelope", "");
    case "rollback":
      return {
        types: { id: "ID!", version: "Int!" },
        variables: { id: operation.id, version: operation.version },
        field: ($) =>
          `rollbackMetaEnvelope(id: ${$("id")}, version: ${$("version")}) { metaEnvelope { ${record} } version restoredFromVersion ${errors} }`,
      };
    case "bulk":
      return {
        types: { inputs: "[BulkMetaEnvelopeInput!]!", skip: "Boolean" },
        variables: { inputs: operation.inputs, skip: operation.skipWebhooks },
        field: ($) =>
          `bulkCreateMetaEnvelopes(inputs: ${$("inputs")}, skipWebhooks: ${$("skip")}) { results { id success error } successCount errorCount errors { message code } }`,
      };
    case "updateValue":
      return {
        types: { envelopeId: "String!", newValue: "JSON!" },
        variables: { envelopeId: oracleEnvelopeId(operation.id, operation.field), newValue: operation.newValue },
        field: ($) => `updateEnvelopeValue(envelopeId: ${$("envelopeId")}, newValue: ${$("newValue")})`,
      };
    case "read":
      return byId("ID!", "metaEnvelope", ` { ${record} }`);
    case "getById":
      return byId("String!", "getMetaEnvelopeById", ` { ${record} }`);
    case "list": {
      const { size, backward = false, cursor } = operation;
      const [count, from] = backward ? ["last", "before"] : ["first", "after"];
      return {
        types: { filter: "MetaEnvelopeFilterInput", size: "Int", cursor: "String" },
        variables: { filter: operation.filter, size, cursor: cursor?.text },
        field: ($) =>
          `metaEnvelopes(filter: ${$("filter")}, ${count}: ${$("size")}, ${from}: ${$("cursor")}) { edges { cursor node { ${record} } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } totalCount }`,
      };
    }
    case "find":
      return {
        types: { ontology: "String!" },
        variables: { ontology: operation.ontology },
        field: ($) => `findMetaEnvelopesByOntology(ontology: ${$("ontology")}) { ${record} }`,
      };
    case "search":
      return {
        types: { ontology: "String!", term: "String!" },
        variables: { ontology: operation.ontology, term: operation.term },
        field: ($) => `searchMetaEnvelopes(ontology: ${$("ontology")}, term: ${$("term")}) { ${record} }`,
      };
    case "all":
      return { types: {}, variables: {}, field: () => "getAllEnvelopes { id fieldKey ontology value valueType }" };
    case "history":
      return {
        types: { id: "ID!", size: "Int", cursor: "String" },
        variables: { id: operation.id, size: operation.size, cursor: operation.cursor?.text },
        field: ($) =>
          `metaEnvelopeHistory(id: ${$("id")}, first: ${$("size")}, after: ${$("cursor")}) { edges { cursor node { metaEnvelopeId version operation ontology parsed requestingPlatform author restoredFromVersion createdAt } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } totalCount }`,
      };
    case "logs":
      throw new Error("the log is not read through GraphQL");
  }
}
