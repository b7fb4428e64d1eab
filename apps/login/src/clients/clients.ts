import type { Clock } from "@dataspace/service-kit/clock";
import type { Log } from "@dataspace/service-kit/log";
import type { Database } from "@dataspace/service-kit/postgres/database";
import { type ChangeOnce, createChangeOnce } from "./change-once.ts";
import { createClientCache } from "./client-cache.ts";
import { createClientRows, type LoginClient } from "./client-rows.ts";
import { createClientUses } from "./client-uses.ts";
import { type ClientAct, createManageClients, type ManageClients, type ManageClientsDeps } from "./manage-clients.ts";

/** The clients: as requests of the protocol need them, and as their developers change them. */
export interface Clients {
  /** Finds a client, in memory if it was used a moment ago. A change is visible at once. */
  readonly find: (clientId: string) => Promise<LoginClient | undefined>;
  readonly findLogo: (clientId: string) => Promise<Uint8Array | undefined>;
  /** Notes that a client exchanged a code. */
  readonly noteUse: (clientId: string) => void;
  /** Stores the uses that were noted. Refuses: never. */
  readonly storeUses: () => Promise<void>;
  readonly sweep: () => void;
  readonly manage: ManageClients;
  readonly changeOnce: ChangeOnce;
}

/** What they work with. `onAct` is called after each change. */
export interface ClientsDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly database: Database;
  readonly onAct: (act: ClientAct) => void;
}

/** Makes the clients on a migrated database. Refuses: never by itself. Source: S2 "Client", "Operation". */
export function createClients(
  { clock, log, database, onAct }: ClientsDeps,
  config: { readonly clientsPerHour: number },
): Clients {
  const rows = createClientRows(database);
  const cache = createClientCache({ clock, rows });
  const { note, withUse, store } = createClientUses({ clock, log, rows });
  const reports: Pick<ManageClientsDeps, "onAct" | "onWrite"> = { onAct, onWrite: cache.forget };
  return {
    find: cache.find,
    findLogo: rows.findLogo,
    noteUse: note,
    storeUses: store,
    sweep: cache.sweep,
    manage: createManageClients({ clock, rows, withUse, ...reports }, config),
    changeOnce: createChangeOnce({
      database,
      ...reports,
      manageOn: (on, within) => createManageClients({ clock, rows: createClientRows(on), withUse, ...within }, config),
    }),
  };
}
