import { createCachedResolve } from "@dataspace/clients/cached-resolve";
import { createRegistryClient } from "@dataspace/clients/registry-client";
import { withoutTrailingSlashes } from "@dataspace/protocol/base-address";
import { type EName, parseEName } from "@dataspace/protocol/ename";
import { parseFileUri } from "@dataspace/protocol/wallet-uri";
import { LRUCache } from "lru-cache";
import type { CallOptions } from "./calls.ts";
import { platformClock } from "./client-clock.ts";
import type { Credential } from "./credential.ts";
import type { ExchangeDeps } from "./exchange.ts";
import type { DownloadedFile } from "./file-calls.ts";
import type { RetryConfig } from "./retry-policy.ts";
import { createTurns } from "./turns.ts";
import { createVaultClient, type VaultClient } from "./vault-client.ts";
import { createVaultLocation } from "./vault-location.ts";

/** Whom to ask and how. */
export interface VaultClientsConfig {
  readonly registryUrl: string;
  /** Who asks. Absent: nobody, as in the development stack, where X-ENAME is enough. */
  readonly credential?: Credential;
  readonly retry?: RetryConfig;
  /** Requests to one vault at once; 16 when absent. To all vaults together there are at most 128. */
  readonly callsAtOnce?: number;
}

/** The network, the time and chance; each is the platform's own when absent. `random` gives numbers from 0 up to 1. */
export type VaultClientsDeps = ExchangeDeps & { readonly random: () => number };

/** The vaults that one program speaks to. */
export interface VaultClients {
  /** Gives the client of an owner's vault, the same for the same eName. Refuses: a ProtocolError INVALID_ENAME. */
  readonly vault: (ename: string) => VaultClient;
  /** Reads the file that a `ds://file` URI names. Refuses: a ProtocolError INVALID_URI; VaultError. */
  readonly downloadFile: (uri: string, options?: CallOptions) => Promise<DownloadedFile>;
}

const MOST_CLIENTS = 1_000;
const CALLS_AT_ONCE = 16;
const ALL_CALLS_AT_ONCE = 128;

/**
 * Makes the clients of vaults: one for each eName, of which the 1,000 that were used last stay in memory.
 *
 * Refuses: never; calls reject with a VaultError. Source: S3 "Vault client rules".
 */
export function createVaultClients(config: VaultClientsConfig, given: Partial<VaultClientsDeps> = {}): VaultClients {
  // Called by its own name, since some platforms let `fetch` run only as a function of the global object.
  const outside = {
    fetch: (...args: Parameters<typeof fetch>) => fetch(...args),
    clock: platformClock,
    random: Math.random,
    ...given,
  };
  const registryUrl = withoutTrailingSlashes(config.registryUrl);
  const registry = createRegistryClient({ fetch: outside.fetch }, { registryUrl });
  const resolve = createCachedResolve({ clock: outside.clock, registry });
  const ofAll = createTurns(ALL_CALLS_AT_ONCE);
  const clients = new LRUCache<EName, VaultClient>({ max: MOST_CLIENTS });
  const create = (owner: EName): VaultClient =>
    createVaultClient({
      owner,
      location: createVaultLocation({ ...outside, resolve }, owner),
      credential: config.credential,
      turns: { ofVault: createTurns(config.callsAtOnce ?? CALLS_AT_ONCE), ofAll },
      outside,
      retry: config.retry,
    });
  const vault = (ename: string): VaultClient => {
    const owner = parseEName(ename);
    const client = clients.get(owner) ?? create(owner);
    clients.set(owner, client);
    return client;
  };
  return {
    vault,
    downloadFile: async (uri, options) => {
      const { ename, metaEnvelopeId } = parseFileUri(uri);
      return vault(ename).downloadFile(metaEnvelopeId, options);
    },
  };
}
