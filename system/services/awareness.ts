import { awarenessSettings, envToAwarenessConfig } from "@dataspace/awareness/config";
import { readSettings } from "@dataspace/service-kit/settings/settings";
import type { BuiltService, ServiceDeps, ServiceRecipe } from "../service.ts";

/** The awareness service, as a part of the constellation. Source: decisions P5, P6, E9. */
export const awarenessRecipe: ServiceRecipe = {
  name: "awareness",
  purpose: "events to subscribers: /ingest, /api/subscriptions, /api/packets",
  portSetting: "DS_AWARENESS_PORT",
  urlSetting: "DS_AWARENESS_URL",
  defaultPort: 4100,
  settings: awarenessSettings,
  // All targets of this stack are on this machine.
  developmentDefaults: { DS_OUTGOING_ALLOW: "127.0.0.0/8,::1/128" },
  loopbackDefaults: { DS_RATE_LIMIT_PER_ADDRESS: "0", DS_RATE_LIMIT_HANDSHAKES: "0", DS_RATE_LIMIT_PROBES: "0" },
  storedSecrets: { DS_SECRET: "secret", DS_INGEST_SECRET: "secret", DS_AWARENESS_SIGNING_KEY_JWK: "ed25519-key" },
  load: async () => {
    const code = await loadCode();
    return { migrations: [code.awarenessMigrations], build: (deps) => build(deps, code) };
  },
};

async function loadCode() {
  const [server, delivery, registryPart, platformPart, migrations, guardedFetch, hostResolver, readiness] =
    await Promise.all([
      import("@dataspace/awareness/server"),
      import("@dataspace/awareness/start-delivery"),
      import("@dataspace/awareness/registry-part"),
      import("@dataspace/awareness/platform-part"),
      import("@dataspace/awareness/migrations"),
      import("@dataspace/outgoing/guarded-fetch"),
      import("@dataspace/outgoing/host-resolver"),
      import("@dataspace/service-kit/monitoring/readiness"),
    ]);
  return {
    ...server,
    ...delivery,
    ...registryPart,
    ...platformPart,
    ...migrations,
    ...guardedFetch,
    ...hostResolver,
    ...readiness,
  };
}

async function build(deps: ServiceDeps, code: Awaited<ReturnType<typeof loadCode>>): Promise<BuiltService> {
  const { base } = deps;
  const { DS_AWARENESS_URL } = awarenessSettings;
  const config = {
    ...envToAwarenessConfig(deps.env),
    cors: deps.cors,
    // Read at each use: with a port that the system chooses, the address is known only once the service listens.
    publicUrl: () => readSettings({ DS_AWARENESS_URL }, deps.env).DS_AWARENESS_URL ?? "",
    devConsumer: true,
  };
  const resolveHost = code.createHostResolver();
  const guardedFetch = code.createGuardedFetch({ resolveHost }, { allow: config.outgoingAllow });
  const registry = code.createRegistryPart({ fetch, guardedFetch, clock: base.clock }, config);
  const platforms = code.createPlatformPart({ ...base, ...registry, guardedFetch }, config.handshakes);
  const times = { monotonicMs: () => performance.now(), random: Math.random };
  const { hearing } = platforms;
  const delivery = code.startDelivery({ base, resolveHost, hearing, ...times }, config);
  const onStored = delivery.wake;
  const app = await code.createAwarenessServer({ base, resolveHost, registry, platforms, onStored }, config);
  code.addReadinessCheck(app, delivery.findFault);
  app.addHook("onClose", () => delivery[Symbol.asyncDispose]());
  return { app, host: config.host, port: config.port };
}
