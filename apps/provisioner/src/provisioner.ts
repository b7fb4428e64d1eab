import type { RegistryWriter } from "@dataspace/clients/registry-writer";
import type { RemoteKeySet } from "@dataspace/clients/remote-key-set";
import type { EName } from "@dataspace/protocol/ename";
import type { Clock } from "@dataspace/service-kit/clock";
import type { Log } from "@dataspace/service-kit/log";
import type { Database, Queryable } from "@dataspace/service-kit/postgres/database";

/** A public key as the wallet spelt it, and its point (65 bytes). */
export interface NewPublicKey {
  readonly text: string;
  readonly point: Uint8Array;
}

/** What the vault needs to know of a new owner; a vault without `publicKey` is keyless. */
export interface NewVault {
  readonly owner: EName;
  readonly vaultId: string;
  readonly publicKey?: NewPublicKey;
  readonly nowMs: number;
}

/** What the provisioner works with. The database holds the vault's tables too; all its migrations have run. */
export interface ProvisionerDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  /** The registry's keys, which sign entropy tokens. */
  readonly registryKeys: RemoteKeySet;
  readonly registry: Pick<RegistryWriter, "register">;
  /** The vault's own write of a new owner, inside the transaction that spends the entropy. */
  readonly createVault: (transaction: Queryable, vault: NewVault) => Promise<void>;
  /** Told of every new vault with a key, so that its certificate is there before it is asked for; must not throw. */
  readonly warmCertificate?: (owner: EName) => void;
}

/**
 * What the provisioner is told. `demoCode`: the public demo verification code is good too (development only).
 * `provisionsPerAddress`: requests an hour of one source address; 0: no limit.
 */
export interface ProvisionerConfig {
  /** The base address under which the vaults made here are reached. */
  readonly publicVaultUrl: string;
  /** The identifier that all vaults made here get; each gets its own when absent. */
  readonly vaultId?: string;
  readonly demoCode: boolean;
  readonly provisionsPerAddress: number;
}
