import type { Span } from "@dataspace/service-kit/tracing/tracer";
import type { OperationDeps } from "../operations/operation-deps.ts";
import type { ReadBudget } from "../operations/read-budget.ts";
import type { Warning } from "../operations/warning.ts";
import type { RunPlace } from "./answer-once.ts";

/** What one request gives its operations: its budget, a place for warnings, and the transaction of a keyed request. */
export interface RequestParts {
  readonly budget: ReadBudget;
  readonly warn: (warning: Warning) => void;
  /** Absent: each operation opens its own transactions and asks other parties itself. */
  readonly place?: RunPlace;
  /** The span of the operation; undefined where it is not traced. */
  readonly span: Span | undefined;
}

/** Makes the dependencies of the operations of one request. */
export type OperationDepsFor = (request: RequestParts) => OperationDeps;
