import type { Database } from "@dataspace/service-kit/database";
import type { CursorSeal } from "../paging/cursor.ts";

/** What a read needs from outside. */
export interface ReadDeps {
  readonly database: Database;
  readonly cursors: CursorSeal;
}
