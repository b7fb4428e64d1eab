import { envToRegistryConfig, registrySettings } from "@dataspace/registry/config";
import type { BuiltService, ServiceDeps, ServiceRecipe } from "../service.ts";

/** The registry, as a part of the constellation. Source: decisions P5, P6, I7. */
export const registryRecipe: ServiceRecipe = {
  name: "registry",
  purpose: "which vault an eName has; certifies its keys",
  portSetting: "DS_REGISTRY_PORT",
  urlSetting: "DS_REGISTRY_URL",
  defaultPort: 4321,
  settings: registrySettings,
  developmentDefaults: { REGISTRY_LEGACY_MINT: "on" },
  loopbackDefaults: { DS_RATE_LIMIT_PER_ADDRESS: "0", DS_RATE_LIMIT_ANONYMOUS: "0" },
  storedSecrets: { REGISTRY_SIGNING_KEY_JWK: "signing-key", REGISTRY_SHARED_SECRET: "secret" },
  load: async () => {
    const [{ createRegistryServer }, { registryMigrations }] = await Promise.all([
      import("@dataspace/registry/server"),
      import("@dataspace/registry/migrations"),
    ]);
    return { migrations: [registryMigrations], build: (deps) => build(deps, createRegistryServer) };
  },
};

async function build(
  deps: ServiceDeps,
  createRegistryServer: typeof import("@dataspace/registry/server").createRegistryServer,
): Promise<BuiltService> {
  const config = { ...envToRegistryConfig(deps.env), cors: deps.cors };
  return { app: await createRegistryServer(deps, config), host: config.host, port: config.port };
}
