import { createRegistryWriter } from "@dataspace/clients/registry-writer";
import { createRemoteKeySet } from "@dataspace/clients/remote-key-set";
import { provisionerSettings } from "@dataspace/provisioner/config";
import { readSettings } from "@dataspace/service-kit/settings/settings";
import { envToVaultConfig, type VaultServiceConfig } from "@dataspace/vault/config";
import { vaultSettings } from "@dataspace/vault/vault-settings";
import type { ServiceBase } from "@dataspace/service-kit/run/service-base";
import { createIdePeople } from "../home/ide-people.ts";
import type { BuiltService, ServiceDeps, ServiceRecipe } from "../service.ts";

const { DS_VAULT_URL, VAULT_ID, DS_RATE_LIMIT_PROVISION } = provisionerSettings;

/** The vault with the provisioner mounted at it, as a part of the constellation. Source: decisions P5, P6, V17. */
export const vaultRecipe: ServiceRecipe = {
  name: "vault",
  purpose: "people's data: /graphql, /whois, /logs; new vaults: /provision",
  portSetting: "DS_VAULT_PORT",
  urlSetting: "DS_VAULT_URL",
  defaultPort: 4000,
  settings: { ...vaultSettings, DS_VAULT_URL, VAULT_ID, DS_RATE_LIMIT_PROVISION },
  // All targets of this stack are on this machine.
  developmentDefaults: { DS_VAULT_AUTH: "header", DS_OUTGOING_ALLOW: "127.0.0.0/8,::1/128" },
  loopbackDefaults: {
    DS_RATE_LIMIT_PER_ADDRESS: "0",
    DS_RATE_LIMIT_PER_CALLER: "0",
    DS_RATE_LIMIT_ANONYMOUS: "0",
    DS_RATE_LIMIT_HANDSHAKES: "0",
    DS_RATE_LIMIT_REGISTRY: "0",
    DS_RATE_LIMIT_PROVISION: "0",
    DS_QUOTA_RECORDS: "0",
    DS_QUOTA_MIB: "0",
    DS_QUOTA_GUEST_RECORDS: "0",
    DS_QUOTA_GUEST_MIB: "0",
  },
  storedSecrets: {
    DS_SECRET: "secret",
    DS_PROVISIONING_TOKEN: "secret",
    REGISTRY_SHARED_SECRET: "secret",
    DS_INGEST_SECRET: "secret",
  },
  load: async () => {
    const code = await loadCode();
    return { migrations: [code.vaultMigrations, code.provisionerMigrations], build: (deps) => build(deps, code) };
  },
};

async function loadCode() {
  const [
    server,
    readable,
    blobStore,
    registryPart,
    handshakeService,
    handshakes,
    guardedFetch,
    hostResolver,
    awarenessPart,
    provisioning,
    migrations,
    plugin,
    registration,
    provisionerMigrations,
    provisionerApi,
    reference,
    ui,
  ] = await Promise.all([
    import("@dataspace/vault/server"),
    import("@dataspace/vault/assert-readable"),
    import("@dataspace/vault/open-blob-store"),
    import("@dataspace/vault/registry-part"),
    import("@dataspace/vault/handshake-service"),
    import("@dataspace/platform-auth/http/handshakes"),
    import("@dataspace/outgoing/guarded-fetch"),
    import("@dataspace/outgoing/host-resolver"),
    import("@dataspace/vault/awareness-part"),
    import("@dataspace/vault/provisioning"),
    import("@dataspace/vault/migrations"),
    import("@dataspace/provisioner/plugin"),
    import("@dataspace/provisioner/registration"),
    import("@dataspace/provisioner/migrations"),
    import("@dataspace/provisioner/provisioner-api"),
    import("@dataspace/api-reference/reference"),
    import("@dataspace/ui/ui"),
  ]);
  return {
    ...server,
    ...readable,
    ...blobStore,
    ...registryPart,
    ...handshakeService,
    ...handshakes,
    ...guardedFetch,
    ...hostResolver,
    ...awarenessPart,
    ...provisioning,
    ...migrations,
    ...plugin,
    ...registration,
    ...provisionerMigrations,
    ...provisionerApi,
    ...reference,
    ...ui,
  };
}

type ProvisioningConfig = Pick<VaultServiceConfig, "registryUrl" | "registrySecret">;

type Code = Awaited<ReturnType<typeof loadCode>>;

async function build(deps: ServiceDeps, code: Code): Promise<BuiltService> {
  const { base, databaseConfig } = deps;
  await code.assertReadable(base.database);
  const config = { ...envToVaultConfig(deps.env), cors: deps.cors, publicUrl: () => publicVaultUrl(deps) };
  const guardedFetch = code.createGuardedFetch(
    { resolveHost: code.createHostResolver() },
    { allow: config.outgoingAllow },
  );
  const registry = code.createRegistryPart({ fetch, guardedFetch, clock: base.clock }, config);
  const { verifySignature, findCertifiedKeys } = registry;
  const trusted = { guardedFetch, registryKeys: { verify: verifySignature }, findCertifiedKeys };
  const handshakes = code.createHandshakes({ ...base, ...trusted }, code.vaultHandshakes, config.handshakes);
  const blobs = await code.openBlobStore(config.files, base.log);
  const awareness = code.createAwarenessPart({ ...base, databaseConfig }, config.awareness);
  const idePeople = createIdePeople({ clock: base.clock, env: deps.env });
  const app = code.createVaultServer({ base, blobs, registry, handshakes, awareness, idePeople }, config);
  const provisionerDeps = {
    ...createProvisionerDeps(base, config, code),
    // A request to the vault itself obtains and caches the certificate, like the first reader of /whois.
    warmCertificate: (owner: string) => void app.inject({ url: "/whois", headers: { "x-ename": owner } }),
  };
  app.register(code.createProvisionerPlugin(provisionerDeps, createProvisionerConfig(deps)));
  const reference = { part: "provisioner", at: "/provisioner", publicUrl: config.publicUrl };
  code.mountReference(app, { ui: code.createUi(), api: code.provisionerApi }, reference);
  const afterListening = () => code.resumeRegistrations(provisionerDeps);
  return { app, host: config.host, port: config.port, afterListening };
}

function createProvisionerDeps({ database, clock, log }: ServiceBase, config: ProvisioningConfig, code: Code) {
  const { registryUrl, registrySecret } = config;
  return {
    database,
    clock,
    log,
    registry: {
      keys: createRemoteKeySet({ fetch, clock }, { keySetUrl: `${registryUrl}/.well-known/jwks.json` }),
      ...createRegistryWriter({ fetch }, { registryUrl, sharedSecret: registrySecret.reveal() }),
    },
    createVault: code.createProvisionedVault,
  };
}

// Read at each request: with a port that the system chooses, the address is known only once the vault listens.
function publicVaultUrl({ env }: Pick<ServiceDeps, "env">): string {
  return readSettings({ DS_VAULT_URL }, env).DS_VAULT_URL;
}

function createProvisionerConfig({ env }: ServiceDeps) {
  const settings = readSettings({ VAULT_ID, DS_RATE_LIMIT_PROVISION }, env);
  const { VAULT_ID: vaultId, DS_RATE_LIMIT_PROVISION: provisionsPerAddress } = settings;
  return {
    get publicVaultUrl() {
      return publicVaultUrl({ env });
    },
    demoCode: true,
    provisionsPerAddress,
    ...(vaultId === undefined ? {} : { vaultId }),
  };
}
