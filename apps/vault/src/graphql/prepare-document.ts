import {
  BREAK,
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  NoSchemaIntrospectionCustomRule,
  type OperationDefinitionNode,
  parse,
  specifiedRules,
  type ValidationRule,
  validate,
  visit,
} from "graphql";
import { LRUCache } from "lru-cache";
import { refusal } from "../errors.ts";
import { assertWithinLimits, MAX_TOKENS } from "./document-limits.ts";
import { withoutSuggestion } from "./errors-to-answer.ts";
import type { RequestError } from "./request-error.ts";

/**
 * A valid document with its number of executions, or the faults of an invalid one. `compilable` is its operation, where
 * the document has only one and may be compiled.
 */
export type PreparedDocument =
  | {
      readonly document: DocumentNode;
      readonly compilable: OperationDefinitionNode | undefined;
      executions: number;
    }
  | { readonly faults: readonly RequestError[] };

/** Parses and validates a document, or finds it in the cache. Refuses: GRAPHQL_LIMIT_EXCEEDED. */
export type PrepareDocument = (query: string) => PreparedDocument;

const CACHED_DOCUMENTS = 1_000;
const CACHED_CHARACTERS = 8_192;
/** A parsed document occupies about a hundred bytes for each of its characters. */
const BYTES_PER_CHARACTER = 100;
const CACHED_BYTES = 32 * 1_048_576;
const MAX_FAULTS = 20;
/** The validator's message when a document needs more comparisons than allowed. */
const VALIDATION_GAVE_UP = "Validation aborted.";

/**
 * Makes the preparation of documents for a schema. Only short documents are cached, at most 1,000 and 32 MiB of them;
 * otherwise a client that sends a new text each time would fill the memory.
 *
 * In: `introspection` false forbids introspection. Source: decisions P2, V2.
 */
export function createPrepareDocument(
  schema: GraphQLSchema,
  { introspection }: { introspection: boolean },
): PrepareDocument {
  const own = [hasRootType, hasNoProtoName, ...(introspection ? [] : [NoSchemaIntrospectionCustomRule])];
  const rules = [...specifiedRules, ...own];
  const prepared = new LRUCache<string, PreparedDocument>({
    max: CACHED_DOCUMENTS,
    maxSize: CACHED_BYTES,
    sizeCalculation: (_made, query) => query.length * BYTES_PER_CHARACTER + 1,
  });
  return (query) => {
    const known = prepared.get(query);
    if (known !== undefined) return known;
    const made = prepare(query, (document) => validate(schema, document, rules, { maxErrors: MAX_FAULTS }));
    if (query.length <= CACHED_CHARACTERS) prepared.set(query, made);
    return made;
  };
}

function prepare(query: string, check: (document: DocumentNode) => readonly GraphQLError[]): PreparedDocument {
  const document = parseBounded(query);
  if (document instanceof GraphQLError) return { faults: [toFault(document, "GRAPHQL_PARSE_FAILED")] };
  assertWithinLimits(document);
  const faults = check(document);
  if (faults.some((fault) => fault.message === VALIDATION_GAVE_UP)) {
    throw refusal(
      "GRAPHQL_LIMIT_EXCEEDED",
      "This GraphQL document repeats too much to be checked; select each field once.",
    );
  }
  if (faults.length === 0) {
    return { document, compilable: findCompilable(document), executions: 0 };
  }
  return { faults: faults.map((fault) => toFault(fault, "GRAPHQL_VALIDATION_FAILED")) };
}

/** The schema must have the kind of operation; the standard rules ignore a subscription where there are none. */
const hasRootType: ValidationRule = (context) => ({
  OperationDefinition: (node) => {
    if (context.getSchema().getRootType(node.operation)) return;
    context.reportError(new GraphQLError(`There are no ${node.operation} operations here.`, { nodes: node }));
  },
});

/**
 * The name `__proto__` may occur only in payloads: compiler and interpreter store variables and results by name in
 * plain objects.
 */
const hasNoProtoName: ValidationRule = (context) => ({
  Name: (node, _key, parent) => {
    // Inside a payload, the check of payloads refuses it.
    const isMember = parent !== undefined && "kind" in parent && parent.kind === Kind.OBJECT_FIELD;
    if (node.value === "__proto__" && !isMember)
      context.reportError(new GraphQLError("__proto__ is no name.", { nodes: node }));
  },
});

/**
 * Finds the operation of a document that may be compiled: the only one, without literal texts or objects. The compiler
 * writes such values into the code that it generates, where a text of a certain form would run and the key `__proto__`
 * would take effect. Clients send such values as variables in repeated documents, and variables are never written into
 * code.
 */
function findCompilable(document: DocumentNode): OperationDefinitionNode | undefined {
  let holdsValues = false;
  const found = (): typeof BREAK => {
    holdsValues = true;
    return BREAK;
  };
  visit(document, { StringValue: found, ObjectValue: found });
  const operations = document.definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  return holdsValues || operations.length > 1 ? undefined : operations[0];
}

function parseBounded(query: string): DocumentNode | GraphQLError {
  try {
    return parse(query, { maxTokens: MAX_TOKENS, noLocation: false });
  } catch (error) {
    if (error instanceof RangeError || isTokenLimit(error)) {
      throw refusal("GRAPHQL_LIMIT_EXCEEDED", `A GraphQL document has at most ${MAX_TOKENS} tokens; use variables.`);
    }
    if (error instanceof GraphQLError) return error;
    throw error;
  }
}

function isTokenLimit(error: unknown): boolean {
  return error instanceof GraphQLError && error.message.includes(`${MAX_TOKENS} tokens`);
}

function toFault(error: GraphQLError, code: RequestError["extensions"]["code"]): RequestError {
  const message = withoutSuggestion(error.message).slice(0, 1_000);
  return { message, ...(error.locations ? { locations: error.locations } : {}), extensions: { code } };
}
