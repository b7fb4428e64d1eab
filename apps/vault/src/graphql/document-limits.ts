import {
  type DocumentNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from "graphql";
import { refusal } from "../errors.ts";

/**
 * The largest number of tokens in a document; its parser counts them. Source: decision V2 (limits); OWASP GraphQL
 * advice.
 */
export const MAX_TOKENS = 1_000;

const MAX_DEPTH = 10;
const MAX_ALIASES = 15;
const MAX_ROOT_FIELDS = 10;
const MAX_DIRECTIVES = 10;
/** Fragments multiply what a document selects; this limits the whole walk. */
const MAX_SELECTIONS = 5_000;

interface Tally {
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  rootFields: number;
  aliases: number;
  directives: number;
  selections: number;
}

/**
 * The position of a selection: its depth, the enclosing fragments, and whether it is within introspection, which has no
 * depth limit.
 */
interface Position {
  readonly depth: number;
  readonly within: readonly string[];
  readonly introspection: boolean;
}

/**
 * Refuses a document that is deeper, wider or more repetitive than any client needs. Limits: depth 10 (introspection
 * apart), 15 aliases, 10 root fields, 10 directives. Fragments count wherever they are spread.
 *
 * Refuses: GRAPHQL_LIMIT_EXCEEDED. Source: decision V2.
 */
export function assertWithinLimits(document: DocumentNode): void {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }
  const tally: Tally = { fragments, rootFields: 0, aliases: 0, directives: 0, selections: 0 };
  for (const definition of document.definitions) {
    if (definition.kind === Kind.OPERATION_DEFINITION) assertOperation(tally, definition);
  }
}

function assertOperation(tally: Tally, operation: OperationDefinitionNode): void {
  tally.rootFields = 0;
  tally.directives += operation.directives?.length ?? 0;
  walk(tally, operation.selectionSet, { depth: 1, within: [], introspection: false });
}

function walk(tally: Tally, { selections }: SelectionSetNode, position: Position): void {
  if (position.depth > MAX_DEPTH && !position.introspection) throw exceeded("levels", MAX_DEPTH);
  for (const selection of selections) {
    count(tally, selection);
    if (selection.kind === Kind.FIELD) {
      if (position.depth === 1) tally.rootFields += 1;
      if (tally.rootFields > MAX_ROOT_FIELDS) throw exceeded("root fields", MAX_ROOT_FIELDS);
      const introspection = position.introspection || selection.name.value.startsWith("__");
      if (selection.selectionSet) {
        walk(tally, selection.selectionSet, { ...position, depth: position.depth + 1, introspection });
      }
    } else if (selection.kind === Kind.INLINE_FRAGMENT) {
      walk(tally, selection.selectionSet, position);
    } else if (!position.within.includes(selection.name.value)) {
      const fragment = tally.fragments.get(selection.name.value);
      const within = [...position.within, selection.name.value];
      if (fragment) walk(tally, fragment.selectionSet, { ...position, within });
    }
  }
}

function count(tally: Tally, selection: SelectionNode): void {
  tally.selections += 1;
  tally.directives += selection.directives?.length ?? 0;
  if (selection.kind === Kind.FIELD && selection.alias) tally.aliases += 1;
  if (tally.selections > MAX_SELECTIONS) throw exceeded("selections", MAX_SELECTIONS);
  if (tally.aliases > MAX_ALIASES) throw exceeded("aliases", MAX_ALIASES);
  if (tally.directives > MAX_DIRECTIVES) throw exceeded("directives", MAX_DIRECTIVES);
}

function exceeded(what: string, most: number) {
  return refusal("GRAPHQL_LIMIT_EXCEEDED", `A GraphQL document has at most ${most} ${what}; split the request.`);
}
