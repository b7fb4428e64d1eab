// A login connector, or the bare protocol library, in a process of its own.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Provider } from "@dataspace/login/provider/library";
import { makeSigningKeySet } from "@dataspace/login/provider/signing-key-set";
import { createRegistryPart } from "@dataspace/login/registry-part";
import { createLoginServer } from "@dataspace/login/server";
import { systemClock } from "@dataspace/service-kit/clock";
import { createLog } from "@dataspace/service-kit/log";
import { createMetrics } from "@dataspace/service-kit/monitoring/metrics";
import { openDatabase } from "@dataspace/service-kit/postgres/database";
import { answerParent } from "./child.ts";
import { LOGIN_CLIENT, type LoginStart } from "./login-scene.ts";
import { createStillUpstream } from "./still-upstream.ts";
import type { Adapter, AdapterPayload, ClientMetadata } from "oidc-provider";

let close: () => Promise<void> = async () => undefined;
let mint: (codes: number) => Promise<readonly string[]> = async () => [];

answerParent(
  {
    start: (given: LoginStart) => (given.databaseUrl === undefined ? startBare() : startConnector(given)),
    mint: (codes: number) => mint(codes),
    cpuMicros: async () => {
      const { user, system } = process.cpuUsage();
      return user + system;
    },
    memoryBytes: async () => process.memoryUsage().rss,
  },
  () => close(),
);

async function startConnector(given: LoginStart): Promise<{ readonly port: number }> {
  const log = createLog({ service: "login", level: "warn", pretty: false });
  const database = openDatabase(
    {
      url: given.databaseUrl ?? "",
      maxConnections: 10,
      applicationName: "login",
      statementTimeoutMs: 10_000,
      connectTimeoutMs: 10_000,
    },
    () => undefined,
  );
  const fetch = createStillUpstream(given);
  const registryPart = createRegistryPart(
    { fetch, guardedFetch: fetch, clock: systemClock, log },
    {
      issuer: LOGIN_CLIENT.issuer,
      registryUrl: "https://registry.example",
      upstreamTimeoutMs: 5_000,
      jwksCacheSeconds: 300,
    },
  );
  const metrics = createMetrics({ log, monotonicMs: () => performance.now() });
  const app = await createLoginServer(
    { database, clock: systemClock, log, metrics, ...registryPart },
    {
      issuer: LOGIN_CLIENT.issuer,
      platformName: "Dataspace Login",
      lifetimes: { session: 3_600, code: 600, token: 300 },
      limits: { pendingLogins: 12_000, startsPerMinute: 0, clientsPerHour: 10, perAddress: 0 },
      signingKeys: makeSigningKeySet(),
      portalSecret: undefined,
      trustedProxies: [],
      sandboxUrl: () => undefined,
    },
  );
  await app.listen({ host: "127.0.0.1", port: 0 });
  close = async () => {
    await app.close();
    await database[Symbol.asyncDispose]();
  };
  return { port: (app.server.address() as AddressInfo).port };
}

/** The library alone: one client and all tokens in memory, the same algorithm, PKCE, claims and scopes. */
async function startBare(): Promise<{ readonly port: number }> {
  const { id, secret, redirectUri, issuer, challenge } = LOGIN_CLIENT;
  const client: ClientMetadata = {
    client_id: id,
    client_secret: secret,
    redirect_uris: [redirectUri],
    id_token_signed_response_alg: "ES256",
  };
  const [key] = makeSigningKeySet();
  const provider = new Provider(issuer, {
    adapter: () => createMapAdapter(),
    jwks: { keys: [{ kty: key.kty, crv: key.crv, x: key.x, y: key.y, d: key.d, kid: key.kid ?? "", use: "sig" }] },
    clients: [client],
    routes: { authorization: "/authorize", token: "/token", userinfo: "/userinfo", jwks: "/jwks" },
    claims: { openid: ["sub"], profile: ["name"], email: ["email", "email_verified"] },
    conformIdTokenClaims: false,
    findAccount: async (_context, accountId) => ({
      accountId,
      claims: async () => ({ sub: accountId, name: "Ada Lovelace", email: "ada@example.org", email_verified: false }),
    }),
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    enabledJWA: { idTokenSigningAlgValues: ["ES256"] },
    ttl: { AuthorizationCode: 600, AccessToken: 300, IdToken: 300, Grant: 900, Session: 1, Interaction: 600 },
    cookies: { keys: ["bench"] },
    expiresWithSession: async () => false,
  });
  const server: Server = createServer(provider.callback());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  mint = async (codes) => {
    const known = await provider.Client.find(id);
    if (known === undefined) throw new Error("the bare library does not know its client");
    const minted: string[] = [];
    for (let count = 0; count < codes; count += 1) {
      const accountId = "@11111111-2222-4333-8444-555555555555";
      const grant = new provider.Grant({ accountId, clientId: id });
      grant.addOIDCScope("openid profile email");
      const code = new provider.AuthorizationCode({
        accountId,
        client: known,
        codeChallenge: challenge,
        codeChallengeMethod: "S256",
        grantId: await grant.save(),
        gty: "authorization_code",
        nonce: "a-nonce",
        redirectUri,
        scope: "openid profile email",
      } as ConstructorParameters<typeof provider.AuthorizationCode>[0]);
      minted.push(await code.save());
    }
    return minted;
  };
  close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { port: (server.address() as AddressInfo).port };
}

function createMapAdapter(): Adapter {
  const entries = new Map<string, AdapterPayload>();
  return {
    upsert: async (id, payload) => void entries.set(id, payload),
    find: async (id) => entries.get(id),
    findByUid: async () => undefined,
    findByUserCode: async () => undefined,
    destroy: async (id) => void entries.delete(id),
    consume: async (id) => {
      const payload = entries.get(id);
      if (payload !== undefined) payload["consumed"] = 1;
    },
    revokeByGrantId: async () => undefined,
  };
}
