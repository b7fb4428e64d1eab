import { createGuardedFetch } from "@dataspace/outgoing/guarded-fetch";
import { createHostResolver } from "@dataspace/outgoing/host-resolver";
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
  developmentDefaults: { REGISTRY_LEGACY_MINT: "on", DS_OUTGOING_ALLOW: "127.0.0.0/8,::1/128" },
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
  const { publicUrl, ...settings } = envToRegistryConfig(deps.env);
  const config = { ...settings, cors: deps.cors, publicUrl: () => deps.env["DS_REGISTRY_URL"] ?? publicUrl ?? "" };
  const guardedFetch = createGuardedFetch({ resolveHost: createHostResolver() }, { allow: config.outgoingAllow });
  const app = await createRegistryServer({ ...deps.base, guardedFetch }, config);
  return { app, host: config.host, port: config.port };
}
