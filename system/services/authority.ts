import { authoritySettings, envToAuthorityConfig } from "@dataspace/authority/config";
import { findFreePort } from "../free-port.ts";
import type { BuiltService, ServiceDeps, ServiceRecipe } from "../service.ts";

/** The certifying authority, as a part of the constellation. Source: S3 "Platform authentication"; decisions P5, P6, A6. */
export const authorityRecipe: ServiceRecipe = {
  name: "authority",
  purpose: "certifies releases of platforms: /review for reviewers, /submissions, /certificates, /status, /log",
  portSetting: "DS_AUTHORITY_PORT",
  urlSetting: "DS_AUTHORITY_URL",
  defaultPort: 4300,
  settings: authoritySettings,
  // Any wallet may decide here, and everybody whom this stack may ask is on this machine.
  developmentDefaults: { DS_AUTHORITY_REVIEWERS: "*", DS_OUTGOING_ALLOW: "127.0.0.0/8,::1/128" },
  loopbackDefaults: { DS_RATE_LIMIT_PER_ADDRESS: "0", DS_RATE_LIMIT_SUBMISSIONS: "0", DS_RATE_LIMIT_SIGN_INS: "0" },
  storedSecrets: { DS_AUTHORITY_SIGNING_KEY_JWK: "signing-key" },
  load: async () => {
    const code = await loadCode();
    return { migrations: [code.authorityMigrations], build: (deps) => build(deps, code) };
  },
};

async function loadCode() {
  const [server, registryPart, migrations, guardedFetch, hostResolver] = await Promise.all([
    import("@dataspace/authority/server"),
    import("@dataspace/authority/registry-part"),
    import("@dataspace/authority/migrations"),
    import("@dataspace/outgoing/guarded-fetch"),
    import("@dataspace/outgoing/host-resolver"),
  ]);
  return { ...server, ...registryPart, ...migrations, ...guardedFetch, ...hostResolver };
}

async function build(deps: ServiceDeps, code: Awaited<ReturnType<typeof loadCode>>): Promise<BuiltService> {
  const read = envToAuthorityConfig(deps.env);
  // Every certificate names the issuer, so the port is known before the service listens.
  const port = read.port === 0 ? await findFreePort(read.host) : read.port;
  const issuer = read.port === 0 ? `http://127.0.0.1:${port}` : read.issuer;
  const config = { ...read, issuer, sandboxUrl: () => deps.env["DS_SANDBOX_URL"] };
  const resolveHost = code.createHostResolver();
  const guardedFetch = code.createGuardedFetch({ resolveHost }, { allow: config.outgoingAllow });
  const registry = code.createRegistryPart({ fetch, guardedFetch, clock: deps.base.clock }, config);
  return { app: await code.createAuthorityServer({ ...deps.base, registry }, config), host: config.host, port };
}
