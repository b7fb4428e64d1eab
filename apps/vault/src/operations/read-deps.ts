import type { Database } from "@dataspace/service-kit/postgres/database";
import type { Guard } from "../access/guard.ts";
import type { CursorSeal } from "../paging/cursor.ts";
import type { LoadMetaEnvelope } from "../store/meta-envelope-loader.ts";
import type { ReadBudget } from "./read-budget.ts";

/** The dependencies of a read; the budget is the request's own. */
export interface ReadDeps {
  readonly database: Database;
  readonly loadMetaEnvelope: LoadMetaEnvelope;
  readonly cursors: CursorSeal;
  readonly guard: Guard;
  readonly budget: ReadBudget;
}
