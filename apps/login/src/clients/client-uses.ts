import type { Clock } from "@dataspace/service-kit/clock";
import type { Log } from "@dataspace/service-kit/log";
import type { ClientRows, LoginClient } from "./client-rows.ts";

/** When clients were last used. Uses wait in memory and are stored together, so that an exchange causes no write of its own. */
export interface ClientUses {
  readonly note: (clientId: string) => void;
  /** Returns a client with its last use, stored or not. */
  readonly withUse: (client: LoginClient) => LoginClient;
  /** Stores what waits. What cannot be stored waits on. */
  readonly store: () => Promise<void>;
}

/** What it works with. */
export interface ClientUsesDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly rows: Pick<ClientRows, "noteUses">;
}

/** Makes it. It holds one time for each client. Refuses: never; a failure is logged. Source: S2 "Client" (last used). */
export function createClientUses({ clock, log, rows }: ClientUsesDeps): ClientUses {
  const waiting = new Map<string, string>();
  let running: Promise<void> | undefined;
  const storeAll = async (): Promise<void> => {
    const uses = new Map(waiting);
    try {
      await rows.noteUses(uses);
      for (const [clientId, at] of uses) if (waiting.get(clientId) === at) waiting.delete(clientId);
    } catch (error) {
      log.warn({ err: error }, "the times of clients' last uses could not be stored");
    }
  };
  return {
    note: (clientId) => void waiting.set(clientId, new Date(clock.nowMs()).toISOString()),
    withUse: (client) => {
      const at = waiting.get(client.clientId) ?? "";
      return at > (client.lastUsedAt ?? "") ? { ...client, lastUsedAt: at } : client;
    },
    store: async () => {
      if (waiting.size === 0) return;
      running ??= storeAll().finally(() => {
        running = undefined;
      });
      await running;
    },
  };
}
