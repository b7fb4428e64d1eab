import type { Database } from "@dataspace/service-kit/postgres/database";
import type { Guard } from "../access/guard.ts";
import type { CursorSeal } from "../paging/cursor.ts";
import type { LoadMetaEnvelope } from "../store/meta-envelope-loader.ts";

/** What a read needs from outside. */
export interface ReadDeps {
  readonly database: Database;
  readonly loadMetaEnvelope: LoadMetaEnvelope;
  readonly cursors: CursorSeal;
  readonly guard: Guard;
}
