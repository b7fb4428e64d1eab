import type { Caller } from "../caller/caller.ts";
import type { OperationDeps } from "../operations/operation-deps.ts";
import type { RequestError } from "./request-error.ts";

/** The context of every resolver: the caller, and what the operations need. */
export interface ResolverContext {
  readonly caller: Caller;
  /** Receives the refusals of a mutation, also where the document does not select them. */
  readonly addRefusal: (refused: RequestError) => void;
  readonly deps: OperationDeps;
}

/** Resolves one field. */
export type Resolver = (source: never, args: never, context: ResolverContext) => unknown;

/** Type name, field name, resolver. */
export type ResolverTable = Readonly<Record<string, Readonly<Record<string, Resolver>>>>;
