import { envToLoginConfig, loginSettings } from "@dataspace/login/config";
import { findFreePort } from "../free-port.ts";
import type { BuiltService, ServiceDeps, ServiceRecipe } from "../service.ts";

/** The login connector, as a part of the constellation. Source: S2; decisions P5, P6, L1. */
export const loginRecipe: ServiceRecipe = {
  name: "login",
  purpose: "log in with the wallet: an OpenID Connect provider, and /portal for developers",
  portSetting: "DS_OIDC_PORT",
  urlSetting: "DS_OIDC_ISSUER",
  defaultPort: 4200,
  settings: loginSettings,
  developmentDefaults: { DS_OUTGOING_ALLOW: "127.0.0.0/8,::1/128" },
  loopbackDefaults: { DS_OIDC_STARTS_PER_MINUTE: "0", DS_RATE_LIMIT_PER_ADDRESS: "0" },
  storedSecrets: {},
  load: async () => {
    const code = await loadCode();
    return { migrations: [code.loginMigrations], build: (deps) => build(deps, code) };
  },
};

async function loadCode() {
  const [server, registryPart, migrations, guardedFetch, hostResolver] = await Promise.all([
    import("@dataspace/login/server"),
    import("@dataspace/login/registry-part"),
    import("@dataspace/login/migrations"),
    import("@dataspace/outgoing/guarded-fetch"),
    import("@dataspace/outgoing/host-resolver"),
  ]);
  return { ...server, ...registryPart, ...migrations, ...guardedFetch, ...hostResolver };
}

async function build(deps: ServiceDeps, code: Awaited<ReturnType<typeof loadCode>>): Promise<BuiltService> {
  const read = envToLoginConfig(deps.env);
  // Every token contains the issuer, so the port must be known before the service listens.
  const port = read.port === 0 ? await findFreePort(read.host) : read.port;
  const issuer = read.port === 0 ? `http://127.0.0.1:${port}` : read.issuer;
  const config = { ...read, issuer, sandboxUrl: () => deps.env["DS_SANDBOX_URL"] };
  const guardedFetch = code.createGuardedFetch(
    { resolveHost: code.createHostResolver() },
    { allow: config.outgoingAllow },
  );
  const registryPart = code.createRegistryPart({ ...deps.base, fetch, guardedFetch }, config);
  deps.base.log.warn("tokens are signed with a key made for this run: a restart changes it");
  return { app: await code.createLoginServer({ ...deps.base, ...registryPart }, config), host: config.host, port };
}
