import type { Mappings } from "../mapping/mapping.ts";
import type { StateDatabase } from "../state/state-database.ts";
import type { Report } from "./report.ts";
import type { Tables } from "./table-access.ts";
import type { Vaults } from "./vaults.ts";

/** What both directions work with, whatever the platform's transactions are. */
export interface SyncCore {
  readonly mappings: Mappings;
  readonly database: StateDatabase<unknown>;
  readonly vaults: Vaults;
  readonly clock: { readonly nowMs: () => number };
  readonly report: (report: Report) => void;
}

/** What both directions work with. */
export interface Sync<Transaction> extends SyncCore {
  readonly database: StateDatabase<Transaction>;
  readonly tables: Tables<Transaction>;
}
