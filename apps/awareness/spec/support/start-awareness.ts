import { randomUUID } from "node:crypto";
import type { TestContext } from "node:test";
import { UpstreamError } from "@dataspace/clients/upstream-error";
import { readOutgoingAllow } from "@dataspace/outgoing/outgoing-allow";
import { type EName, parseEName } from "@dataspace/protocol/ename";
import { DOMAIN_BY_ONTOLOGY } from "@dataspace/protocol/ontology-domain";
import { decodePublicKey } from "@dataspace/protocol/public-key";
import { createLog } from "@dataspace/service-kit/log";
import { listenWithAdmin } from "@dataspace/service-kit/monitoring/listen-with-admin";
import { createMetrics, type Metrics } from "@dataspace/service-kit/monitoring/metrics";
import { createSecret } from "@dataspace/service-kit/secret";
import { openTestDatabase, TEST_SERVER_SETTING, type TestDatabase } from "@dataspace/service-kit/testing/test-database";
import { issueWalletToken } from "@dataspace/wallet/issue-wallet-token";
import { signSession } from "@dataspace/wallet/sign-session";
import { signText } from "@dataspace/wallet/sign-text";
import { createWalletKey } from "@dataspace/wallet/wallet-key";
import type { FindCertifiedKeys } from "@dataspace/clients/certified-keys";
import type { RegistryClient } from "@dataspace/clients/registry-client";
import type { OutgoingAllow } from "@dataspace/outgoing/outgoing-allow";
import type { HandshakeConfig, HandshakeDeps } from "@dataspace/platform-auth/http/handshakes";
import { createWebhookSigningKey, type WebhookSigningKey } from "../../src/delivery/webhook-signing-key.ts";
import { awarenessMigrations } from "../../src/migrations.ts";
import { createPlatformPart, type PlatformPart } from "../../src/platform-part.ts";
import { type AwarenessConfig, createAwarenessServer } from "../../src/server.ts";
import { assertDocumented } from "./documented.ts";
import { type Endpoint, startEndpoint } from "./start-endpoint.ts";

/** The secret with which vaults of these tests send events. */
export const INGEST_SECRET = "an-ingest-secret-of-these-tests-0123456789";
/** The key with which the services of these tests sign. */
export const WEBHOOK_KEY: WebhookSigningKey = createWebhookSigningKey();
/** What DS_SECRET is in these tests. */
export const SERVICE_SECRET = "a-service-secret-of-these-tests-0123456789";

/** A person whose keys the registry certifies; `token` issues a wallet token for the service. */
export interface Person {
  readonly ename: EName;
  readonly token: (audience?: string) => Promise<string>;
  /** Signs a session as the person's wallet does. */
  readonly sign: (session: string) => Promise<string>;
  /** Signs any text, as issuers of readings do. */
  readonly signText: (text: string) => Promise<string>;
}

/** An awareness service on a free port. */
export interface TestAwareness {
  readonly url: string;
  /** Where /metrics and /readyz are; its values are read again each time. */
  readonly adminUrl: string;
  readonly metrics: Metrics;
  readonly database: TestDatabase;
  readonly platforms: PlatformPart;
  /** The keys of the people that were created. */
  readonly findCertifiedKeys: FindCertifiedKeys;
  /** An endpoint that takes webhooks. */
  readonly endpoint: Endpoint;
  readonly createPerson: () => Promise<Person>;
  /** Sends events as a vault does. */
  readonly ingest: (body: unknown, secret?: string) => Promise<Answer>;
  /** Calls the API, as the holder of `credential` where there is one. */
  readonly ask: (path: string, options?: AskOptions) => Promise<Answer>;
}

/** What a test looks at of an answer; `code` is the refusal's. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: each test asserts the shape that it goes on with.
  readonly body: any;
  readonly code: string | undefined;
}

/** How a test asks. */
export interface AskOptions {
  readonly method?: string;
  readonly body?: unknown;
  readonly credential?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a test may choose of its service. */
export interface Choices extends Partial<AwarenessConfig> {
  readonly database?: TestDatabase;
  readonly nowMs?: () => number;
  readonly addresses?: Readonly<Record<string, readonly string[]>>;
  readonly findCertifiedKeys?: FindCertifiedKeys;
  readonly resolveVault?: RegistryClient["resolve"];
  readonly isKnown?: (ename: EName) => Promise<boolean>;
  readonly trust?: Partial<Pick<HandshakeDeps, "guardedFetch" | "registryKeys">>;
  readonly handshakes?: Partial<HandshakeConfig>;
}

/** Starts an awareness service with a database of its own, for as long as the test runs. */
export async function startAwareness(t: TestContext, choices: Choices = {}): Promise<TestAwareness> {
  const points = new Map<EName, Uint8Array>();
  const {
    database: given,
    nowMs = Date.now,
    addresses = {},
    findCertifiedKeys = createFindKeys(points),
    resolveVault = async () => undefined,
    isKnown = async () => false,
    trust = {},
    handshakes = {},
    ...config
  } = choices;
  const database = given ?? (await openMigrated(t));
  let listensAt = "";
  const clock = { nowMs };
  const log = createLog({ service: "awareness", level: "silent", pretty: false });
  let asked = 0;
  const metrics = createMetrics({ log, monotonicMs: () => 60_000 * asked++ });
  const platforms = createPlatformPart(
    {
      database,
      clock,
      log,
      guardedFetch: fetch,
      registryKeys: { verify: async () => Promise.reject(new UpstreamError("unreachable", "No registry here.")) },
      isKnown,
      findCertifiedKeys,
      ...trust,
    },
    { trustedCertifierIssuers: [], challengeSeconds: 120, requireBinding: false, perAddress: 0, ...handshakes },
  );
  const app = await createAwarenessServer(
    {
      base: { database, clock, log, metrics },
      resolveHost: async (host) => addresses[host] ?? [],
      registry: { findCertifiedKeys, resolveVault },
      platforms,
    },
    {
      ingestSecret: createSecret(INGEST_SECRET),
      secret: createSecret(SERVICE_SECRET),
      webhookKey: WEBHOOK_KEY,
      admins: new Set(),
      legacyTokens: "accept",
      domains: DOMAIN_BY_ONTOLOGY,
      outgoingAllow: allow("127.0.0.0/8"),
      requestsPerAddress: 0,
      probesPerMinute: 0,
      cors: { origins: "any" },
      publicUrl: () => listensAt,
      devConsumer: false,
      ...config,
    },
  );
  const opened = new AsyncDisposableStack();
  t.after(() => opened.disposeAsync());
  const parts = { name: "awareness", service: app, database, metrics, log };
  const place = { host: "127.0.0.1", port: 0, portSetting: "DS_AWARENESS_PORT" };
  const { url, adminUrl } = await listenWithAdmin(opened, parts, place);
  listensAt = url;
  return {
    url,
    adminUrl,
    metrics,
    database,
    platforms,
    findCertifiedKeys,
    endpoint: await startEndpoint(t),
    createPerson: () => createPerson(points, clock, url),
    ingest: (body, secret = INGEST_SECRET) => ask(`${url}/ingest`, { method: "POST", body, credential: secret }),
    ask: (path, options) => ask(url + path, options),
  };
}

/** Reads DS_OUTGOING_ALLOW as the settings do. */
export function allow(text: string): OutgoingAllow {
  const reading = readOutgoingAllow(text);
  if ("fault" in reading) throw new Error(reading.fault);
  return reading.value;
}

async function openMigrated(t: TestContext): Promise<TestDatabase> {
  const database = await openTestDatabase(process.env[TEST_SERVER_SETTING], awarenessMigrations);
  t.after(() => database[Symbol.asyncDispose]());
  return database;
}

// The registry's part, as far as this service sees it: an eName that it does not know is a 404.
function createFindKeys(points: ReadonlyMap<EName, Uint8Array>): FindCertifiedKeys {
  return async (ename) => {
    const point = points.get(ename);
    if (point === undefined) {
      const refusal = { status: 404, code: "UNKNOWN_ENAME", body: undefined };
      throw new UpstreamError("refused", "The registry knows no such vault.", { refusal });
    }
    return [{ publicKey: "", point, expiresAtSeconds: Number.MAX_SAFE_INTEGER, certificate: "" }];
  };
}

async function createPerson(
  points: Map<EName, Uint8Array>,
  clock: { readonly nowMs: () => number },
  url: string,
): Promise<Person> {
  const key = await createWalletKey();
  const ename = parseEName(randomUUID());
  points.set(ename, decodePublicKey(key.publicKey).point);
  return {
    ename,
    token: (audience = url) => issueWalletToken({ key, clock }, { ename, audience }),
    sign: (session) => signSession(key, session),
    signText: (text) => signText(key, text),
  };
}

async function ask(url: string, options: AskOptions = {}): Promise<Answer> {
  const { body, credential, headers = {}, method = body === undefined ? "GET" : "POST" } = options;
  const response = await fetch(url, {
    method,
    headers: {
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
      ...(credential === undefined ? {} : { authorization: `Bearer ${credential}` }),
    },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const read = text === "" ? undefined : JSON.parse(text);
  // Every answer of every test here also proves the reference.
  assertDocumented({ method, url, sent: body, status: response.status, body: read });
  return { status: response.status, headers: response.headers, body: read, code: read?.error?.code };
}
