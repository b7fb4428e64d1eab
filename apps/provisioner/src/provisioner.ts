import type { RegistryWriter } from "@dataspace/clients/registry-writer";
import type { RemoteKeySet } from "@dataspace/clients/remote-key-set";
import type { EName } from "@dataspace/protocol/ename";
import type { Clock } from "@dataspace/service-kit/clock";
import type { Log } from "@dataspace/service-kit/log";
import type { Database, Queryable } from "@dataspace/service-kit/postgres/database";

/** A public key as the wallet spelled it, and its point (65 bytes). */
export interface NewPublicKey {
  readonly text: string;
  readonly point: Uint8Array;
}

/** What the vault needs for a new owner; a vault without `publicKey` is keyless. */
export interface NewVault {
  readonly owner: EName;
  readonly vaultId: string;
  readonly publicKey?: NewPublicKey;
  readonly nowMs: number;
}

/** The registry, as the provisioner uses it: it signs entropy tokens with `keys`, and learns of new vaults. */
export interface ProvisionerRegistry extends Pick<RegistryWriter, "register"> {
  readonly keys: RemoteKeySet;
}

/** The dependencies of the provisioner. The database also has the vault's tables; all its migrations have run. */
export interface ProvisionerDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly registry: ProvisionerRegistry;
  /** The vault's function that writes a new owner, inside the transaction that spends the entropy. */
  readonly createVault: (transaction: Queryable, vault: NewVault) => Promise<void>;
  /** Called for every new vault with a key, so that its certificate exists before it is requested; must not throw. */
  readonly warmCertificate?: (owner: EName) => void;
}

/**
 * The provisioner's configuration. `demoCode`: the public demo verification code is valid too (development only).
 * `provisionsPerAddress`: requests an hour from one source address; 0: no limit.
 */
export interface ProvisionerConfig {
  /** The base address of the vaults created here. */
  readonly publicVaultUrl: string;
  /** The identifier of all vaults created here; when absent, each gets its own. */
  readonly vaultId?: string;
  readonly demoCode: boolean;
  readonly provisionsPerAddress: number;
}
