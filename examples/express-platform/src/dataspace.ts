import { installCapture } from "@dataspace/adapter/capture/install-capture";
import { createTypeormState } from "@dataspace/adapter/capture/typeorm";
import { createAdapter } from "@dataspace/adapter/create-adapter";
import { loadMappings } from "@dataspace/adapter/load-mappings";
import { catchUp } from "@dataspace/adapter/operate/catch-up";
import { pullOwner } from "@dataspace/adapter/operate/pull-owner";
import { createTypeormTable } from "@dataspace/adapter/sync/typeorm-table";
import { assureSubscription } from "@dataspace/receiver/assure-subscription";
import { createPlatformCredential } from "@dataspace/vault-client/platform-credential";
import { createVaultClients } from "@dataspace/vault-client/vault-clients";
import type { Dataspace, DataspacePlace } from "@dataspace/social-app/dataspace";
import { Chat, Message, Post, User } from "./entities.ts";
import type { DataSource, EntityManager } from "typeorm";

/** Keeps the platform's tables and people's vaults the same. Refuses: InvalidMappings; the database's errors. */
export async function joinDataspace(source: DataSource, place: DataspacePlace): Promise<Dataspace<EntityManager>> {
  const { registryUrl, awarenessUrl, publicUrl, onReport, onError } = place;
  const mappings = await loadMappings(`${import.meta.dirname}/../mappings`);
  const state = createTypeormState(source);
  const credential = createPlatformCredential({ registryUrl, platform: publicUrl });
  const vaults = createVaultClients({ registryUrl, credential });
  const users = createTypeormTable(source, User);
  const posts = createTypeormTable(source, Post, ["author"]);
  const chats = createTypeormTable(source, Chat, ["host", "participants"]);
  const messages = createTypeormTable(source, Message, ["chat", "sender"]);
  const adapter = await createAdapter({ mappings, state, vaults, tables: { users, posts, chats, messages }, onReport });
  await installCapture(state, { mappings });
  const targetUrl = `${publicUrl}/api/webhook`;
  return {
    adapter,
    receive: adapter.createWebhook({ awarenessUrl, targetUrl, onError }),
    findProfile: (owner) => pullOwner(adapter.sync, { owner, tableName: "users" }),
    connect: async () => {
      await assureSubscription({ awarenessUrl, targetUrl });
      const feed = { fetch, awarenessUrl, authorization: undefined, dryRun: false };
      for await (const _page of catchUp(adapter.sync, feed));
    },
  };
}
