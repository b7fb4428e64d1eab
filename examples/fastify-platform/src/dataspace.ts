import type { DatabaseSync } from "node:sqlite";
import { installCapture } from "@dataspace/adapter/capture/install-capture";
import { createAdapter } from "@dataspace/adapter/create-adapter";
import { loadMappings } from "@dataspace/adapter/load-mappings";
import { catchUp } from "@dataspace/adapter/operate/catch-up";
import { pullOwner } from "@dataspace/adapter/operate/pull-owner";
import { createDrizzleTable } from "@dataspace/adapter/sync/drizzle-table";
import { assureSubscription } from "@dataspace/receiver/assure-subscription";
import { createPlatformCredential } from "@dataspace/vault-client/platform-credential";
import { createVaultClients } from "@dataspace/vault-client/vault-clients";
import type { Dataspace, DataspacePlace } from "@dataspace/social-app/dataspace";
import type { CornerDatabase } from "./open-database.ts";
import { openDrizzle } from "./open-drizzle.ts";
import { lines, notes, people, rooms } from "./schema.ts";

/** Keeps the platform's tables and people's vaults the same. Refuses: InvalidMappings; the database's errors. */
export async function joinDataspace(database: CornerDatabase, place: DataspacePlace): Promise<Dataspace<DatabaseSync>> {
  const { registryUrl, awarenessUrl, publicUrl, onReport, onError } = place;
  const mappings = await loadMappings(`${import.meta.dirname}/../mappings`);
  const credential = createPlatformCredential({ registryUrl, platform: publicUrl });
  const vaults = createVaultClients({ registryUrl, credential });
  const on = (transaction = database.reader) => openDrizzle(transaction);
  const tables = {
    people: createDrizzleTable({ on, table: people }),
    notes: createDrizzleTable({ on, table: notes, links: { writer: ["writerId", people] } }),
    rooms: createDrizzleTable({ on, table: rooms, links: { host: ["hostId", people] } }),
    lines: createDrizzleTable({ on, table: lines, links: { room: ["roomId", rooms], speaker: ["speakerId", people] } }),
  };
  const adapter = await createAdapter({ mappings, state: database.state, vaults, tables, onReport });
  await installCapture(database.state, { mappings });
  const targetUrl = `${publicUrl}/api/webhook`;
  return {
    adapter,
    receive: adapter.createWebhook({ awarenessUrl, targetUrl, onError }),
    findProfile: (owner) => pullOwner(adapter.sync, { owner, tableName: "people" }),
    connect: async () => {
      await assureSubscription({ awarenessUrl, targetUrl });
      const feed = { fetch, awarenessUrl, authorization: undefined, dryRun: false };
      for await (const _page of catchUp(adapter.sync, feed));
    },
  };
}
