import * as authorityConfig from "@dataspace/authority/config";
import { authorityMigrations } from "@dataspace/authority/migrations";
import * as awarenessConfig from "@dataspace/awareness/config";
import { awarenessMigrations } from "@dataspace/awareness/migrations";
import * as loginConfig from "@dataspace/login/config";
import { loginMigrations } from "@dataspace/login/migrations";
import { envToProvisionerConfig, provisionerSettings } from "@dataspace/provisioner/config";
import { provisionerMigrations } from "@dataspace/provisioner/migrations";
import * as registryConfig from "@dataspace/registry/config";
import { registryMigrations } from "@dataspace/registry/migrations";
import { envToSandboxConfig, sandboxSettings } from "@dataspace/sandbox/config";
import { StartupError } from "@dataspace/service-kit/startup-error";
import { storageSettings } from "@dataspace/service-kit/storage/storage-settings";
import { envToStandaloneConfig as envToVaultConfig } from "@dataspace/vault/config";
import { vaultMigrations } from "@dataspace/vault/migrations";
import { vaultSettings } from "@dataspace/vault/vault-settings";
import type { MigrationSource } from "@dataspace/service-kit/postgres/migrations";
import type { readSettings } from "@dataspace/service-kit/settings/settings";

/** Settings by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** What an operator's commands know of one service that runs alone. */
export interface OperatedService {
  readonly name: string;
  /** All its settings, those of its storage among them. */
  readonly settings: Parameters<typeof readSettings>[0];
  /** Reads its settings as its start does. Refuses: StartupError 78 that lists every fault. */
  readonly read: (env: Environment) => { readonly host: string; readonly port: number };
  readonly portSetting: string;
  readonly migrations: readonly MigrationSource[];
  /** A setting that only this service needs: where it is set, the service is meant to run here. */
  readonly sign: string;
}

const withStorage = (settings: OperatedService["settings"]): OperatedService["settings"] => ({
  ...settings,
  ...storageSettings,
});

/** The services in the order of their start. Source: decision P5. */
export const OPERATED_SERVICES: readonly OperatedService[] = [
  {
    name: "registry",
    settings: withStorage(registryConfig.registrySettings),
    read: registryConfig.envToStandaloneConfig,
    portSetting: "DS_REGISTRY_PORT",
    migrations: [registryMigrations],
    sign: "REGISTRY_SIGNING_KEY_JWK",
  },
  {
    name: "authority",
    settings: withStorage(authorityConfig.authoritySettings),
    read: authorityConfig.envToStandaloneConfig,
    portSetting: "DS_AUTHORITY_PORT",
    migrations: [authorityMigrations],
    sign: "DS_AUTHORITY_SIGNING_KEY_JWK",
  },
  {
    name: "awareness",
    settings: withStorage(awarenessConfig.awarenessSettings),
    read: awarenessConfig.envToStandaloneConfig,
    portSetting: "DS_AWARENESS_PORT",
    migrations: [awarenessMigrations],
    sign: "DS_AWARENESS_SIGNING_KEY_JWK",
  },
  {
    name: "vault",
    settings: withStorage(vaultSettings),
    read: envToVaultConfig,
    portSetting: "DS_VAULT_PORT",
    migrations: [vaultMigrations],
    sign: "DS_VAULT_URL",
  },
  {
    name: "provisioner",
    settings: provisionerSettings,
    read: envToProvisionerConfig,
    portSetting: "DS_PROVISIONER_PORT",
    migrations: [provisionerMigrations],
    sign: "VAULT_ID",
  },
  {
    name: "login",
    settings: withStorage(loginConfig.loginSettings),
    read: loginConfig.envToStandaloneConfig,
    portSetting: "DS_OIDC_PORT",
    migrations: [loginMigrations],
    sign: "DS_OIDC_ISSUER",
  },
  {
    name: "sandbox",
    settings: sandboxSettings,
    read: envToSandboxConfig,
    portSetting: "DS_SANDBOX_PORT",
    migrations: [],
    sign: "PUBLIC_PROVISIONER_URL",
  },
];

/**
 * Chooses services by name; without names, those whose own setting is set.
 *
 * Refuses: StartupError 78 for a name that no service has.
 */
export function chooseServices(names: readonly string[], env: Environment): readonly OperatedService[] {
  const unknown = names.find((name) => !OPERATED_SERVICES.some((service) => service.name === name));
  if (unknown !== undefined) {
    const known = OPERATED_SERVICES.map((service) => service.name).join(", ");
    throw new StartupError(`There is no service ${JSON.stringify(unknown)}. The services: ${known}.`);
  }
  const isMeant = ({ sign }: OperatedService) => Boolean(env[sign] || env[`${sign}_FILE`]);
  return OPERATED_SERVICES.filter((service) => (names.length === 0 ? isMeant(service) : names.includes(service.name)));
}
