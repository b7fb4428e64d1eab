import { mountReference } from "@dataspace/api-reference/reference";
import { hasBearerSecret } from "@dataspace/service-kit/http/bearer-secret";
import { createHttpServer } from "@dataspace/service-kit/http/http-server";
import { addressKey, createRateLimit } from "@dataspace/service-kit/http/rate-limits";
import { countRequests } from "@dataspace/service-kit/monitoring/request-metrics";
import { type KeySet, openKeySet } from "@dataspace/service-kit/published-keys/key-set";
import { sweepWhileServing } from "@dataspace/service-kit/run/sweep-while-serving";
import { mountUi } from "@dataspace/ui/mount-ui";
import { createUi } from "@dataspace/ui/ui";
import type { Fetch } from "@dataspace/clients/timed-fetch";
import type { CrossOriginPolicy } from "@dataspace/service-kit/http/cross-origin";
import type { SigningKeys } from "@dataspace/service-kit/published-keys/signing-keys";
import type { ServiceBase } from "@dataspace/service-kit/run/service-base";
import type { Secret } from "@dataspace/service-kit/secret";
import { addAddressDoor } from "./http/address-door.ts";
import { addNamesDoor } from "./http/names-door.ts";
import { mountStart } from "./http/start-door.ts";
import { addTokensDoor } from "./http/tokens-door.ts";
import { addVersionsDoor } from "./http/versions-door.ts";
import { registryApi } from "./reference/registry-api.ts";
import { createPlatformRows } from "./store/platform-rows.ts";
import { createRegistrationRows } from "./store/registration-rows.ts";
import { createSoftwareVersionRows } from "./store/software-version-rows.ts";
import { spentRegistryTokens } from "./store/spent-token-rows.ts";
import { createRegistryTokens } from "./tokens/registry-tokens.ts";
import { createVerifyOwnerToken } from "./tokens/verify-owner-token.ts";
import { createPlatformOfToken } from "./tokens/verify-platform-token.ts";
import type { FastifyInstance } from "fastify";

/** The dependencies of a registry. The database's migrations have run. */
export interface RegistryDeps extends ServiceBase {
  /** Asks the vaults that are registered; their addresses come from outside. */
  readonly guardedFetch: Fetch;
}

/**
 * Requests a minute from one source address, and the limit for requests that sign something without a credential; 0: no
 * limit.
 */
export interface RegistryLimits {
  readonly perAddress: number;
  readonly anonymous: number;
}

/** The configuration of a registry. `cors` is `any` except on a developer's machine. */
export interface RegistryConfig {
  readonly signingKeys: SigningKeys;
  readonly sharedSecret: Secret;
  readonly legacyMint: boolean;
  readonly cors: CrossOriginPolicy;
  readonly limits: RegistryLimits;
  /** The registry's own address, which owners' tokens name; read at each use, since a port may be chosen late. */
  readonly publicUrl: () => string;
  /** The proxies whose X-Forwarded-For and X-Forwarded-Proto are read; absent: none. */
  readonly trustedProxies?: readonly string[];
}

const KEY_PLACE = { table: "registry_key", setting: "REGISTRY_SIGNING_KEY_JWK" } as const;
const BODY_LIMIT_BYTES = 1_048_576;
const KEY_SET_CACHE_SECONDS = 300;
/** The factor of the rate limit for holders of the shared secret. */
const HOLDER_FACTOR = 10;

/**
 * Makes the registry: vault addresses by eName, entropy for new eNames, key binding certificates.
 *
 * Out: a server that neither listens nor migrates.
 * Refuses: throws a StartupError when the signing key's `kid` belonged to another key before.
 * Source: S1 "Authentication"; S3 "Registry calls used by the adapter and verifiers"; decision X2.
 */
export async function createRegistryServer(deps: RegistryDeps, config: RegistryConfig): Promise<FastifyInstance> {
  const { clock, database, log } = deps;
  const keySet = await openKeySet(deps, KEY_PLACE, config.signingKeys.published);
  const app = createHttpServer({
    ...config,
    log,
    bodyLimitBytes: BODY_LIMIT_BYTES,
    allowedHeaders: ["Content-Type", "Authorization"],
  });
  countRequests(app, deps.metrics);
  limitCallers(app, config);
  addStatusDoor(app, keySet);
  const versions = createSoftwareVersionRows(database);
  addVersionsDoor(app, { clock, versions, platformOfToken: createPlatformOfToken({ clock, keySet }) }, config);
  const registrations = createRegistrationRows(database);
  addNamesDoor(app, { clock, versions, registrations }, config);
  const verifyOwnerToken = createVerifyOwnerToken({ ...deps, keySet, resolve: registrations.find });
  addAddressDoor(app, { database, clock, verifyOwnerToken }, config);
  sweepWhileServing(app, log, [
    { what: "spent tokens that have expired", sweep: () => spentRegistryTokens.sweep(database, clock.nowMs()) },
  ]);
  const tokens = createRegistryTokens({ clock }, config.signingKeys);
  addTokensDoor(app, { clock, tokens, platforms: createPlatformRows(database) }, config);
  const ui = createUi();
  mountUi(app, ui);
  mountStart(app, ui);
  mountReference(app, { ui, api: registryApi }, { part: "registry" });
  return app;
}

// Holders of the secret have a separate budget, which the requests that others cause without it never use up.
function limitCallers(app: FastifyInstance, { limits, sharedSecret }: RegistryConfig): void {
  const { perAddress } = limits;
  const countAddress = createRateLimit(app, { name: "address", requests: perAddress, windowSeconds: 60 });
  const holders = { name: "holder", requests: perAddress * HOLDER_FACTOR, windowSeconds: 60 };
  const countHolder = createRateLimit(app, holders);
  app.addHook("onRequest", (request) => {
    const count = hasBearerSecret(request, sharedSecret) ? countHolder : countAddress;
    return count(request, addressKey(request));
  });
}

function addStatusDoor(app: FastifyInstance, keySet: KeySet): void {
  app.get("/healthz", async () => ({ status: "ok" }));
  app.get("/motd", async () => ({ status: "up", message: "" }));
  app.get("/.well-known/jwks.json", async (_request, reply) => {
    reply.header("cache-control", `public, max-age=${KEY_SET_CACHE_SECONDS}`);
    return keySet.read();
  });
}
