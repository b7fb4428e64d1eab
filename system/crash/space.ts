import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { type EName, parseEName } from "@dataspace/protocol/ename";
import { encodeWebhookSecret } from "@dataspace/protocol/webhook-secret";
import { type Database, openDatabase } from "@dataspace/service-kit/postgres/database";
import { migrate } from "@dataspace/service-kit/postgres/migrations";
import { createProvisionedVault } from "@dataspace/vault/provisioning";
import { completeSettings } from "../development-settings.ts";
import { RECIPES } from "../recipes.ts";
import type { Environment } from "../service.ts";
import { awarenessRecipe } from "../services/awareness.ts";
import { vaultRecipe } from "../services/vault.ts";
import { startBalancer } from "./balancer.ts";
import type { FastTime } from "./fast-clock.ts";
import type { Databases } from "./queues.ts";
import { type ReceiverProcess, SUBSCRIBERS, startReceiverProcess } from "./receiver-process.ts";
import { type ServiceProcess, startServiceProcess } from "./service-process.ts";

/** Two vaults, two awareness services behind one address, each pair on one database, a receiver with two subscriptions, and owners. */
export interface Space extends AsyncDisposable {
  readonly databases: Databases;
  readonly processes: readonly ServiceProcess[];
  readonly vaultUrls: readonly string[];
  readonly owners: readonly EName[];
  readonly receiver: ReceiverProcess;
  /** Asks one of the awareness services to replay to every subscriber the events since a time. */
  readonly replay: (sinceMs: number) => Promise<void>;
}

/** The two databases' addresses, where logs are written, the time, and whether a subscriber fails at times. */
export interface SpaceConfig {
  readonly urls: { readonly vault: string; readonly awareness: string };
  /** How the services reach the databases; absent: by the same addresses. */
  readonly serviceUrls?: { readonly vault: string; readonly awareness: string };
  /** Of the services; absent: one that lets a process be held at a step. */
  readonly statementTimeoutMs?: number;
  readonly directory: string;
  readonly time: FastTime;
  readonly flaky: boolean;
}

const OWNERS = 5;
/** Below the range of outgoing connections, so that no port is taken while its service is down. */
const PORTS = { from: 20_000, to: 30_000 };
const LIMITS = { maxConnections: 3, statementTimeoutMs: 600_000, connectTimeoutMs: 10_000 };

/** Creates the tables and starts everything. */
export async function openSpace(config: SpaceConfig): Promise<Space> {
  await using opened = new AsyncDisposableStack();
  const databases = {
    vault: opened.use(open(config.urls.vault)),
    awareness: opened.use(open(config.urls.awareness)),
  };
  for (const { recipe, database } of [
    { recipe: vaultRecipe, database: databases.vault },
    { recipe: awarenessRecipe, database: databases.awareness },
  ]) {
    for (const source of (await recipe.load()).migrations) await migrate(database, source);
  }
  const owners = await createOwners(databases.vault);
  const secret = encodeWebhookSecret(randomBytes(32));
  const logFile = join(config.directory, "received.jsonl");
  const receiver = opened.use(await startReceiverProcess({ ...config, secret, logFile }));
  const services = await startServices(opened, config);
  const subscriptions = `${services.awarenessUrl}/api/subscriptions`;
  const ids = await Promise.all(
    SUBSCRIBERS.map(async (name) => {
      const { id } = await post<{ readonly id: string }>(subscriptions, {
        targetUrl: `${receiver.url}/${name}`,
        secret,
      });
      return id;
    }),
  );
  const owned = opened.move();
  return {
    databases,
    ...services,
    owners,
    receiver,
    replay: async (sinceMs) => {
      const body = { since: new Date(sinceMs).toISOString() };
      await Promise.all(ids.map((id) => post(`${subscriptions}/${id}/replay`, body)));
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

function open(url: string): Database {
  return openDatabase({ url, applicationName: "crash", ...LIMITS }, () => undefined);
}

async function createOwners(database: Database): Promise<readonly EName[]> {
  const owners = Array.from({ length: OWNERS }, () => parseEName(crypto.randomUUID()));
  await database.transaction(async (transaction) => {
    for (const owner of owners) await createProvisionedVault(transaction, { owner, vaultId: owner, nowMs: Date.now() });
  });
  return owners;
}

async function startServices(opened: AsyncDisposableStack, config: SpaceConfig) {
  const { directory, time, statementTimeoutMs, serviceUrls = config.urls } = config;
  const shared = completeSettings({}, directory, RECIPES);
  const ports = await Promise.all([1, 2, 3, 4].map(findFreePort));
  const [one, two, three, four] = ports as [number, number, number, number];
  const { url: awarenessUrl } = opened.use(await startBalancer([one, two]));
  const start = (name: string, service: "awareness" | "vault", own: Environment) => {
    const env = { ...shared, DS_AWARENESS_URL: awarenessUrl, ...own };
    const logFile = join(directory, `${name}.log`);
    return opened.use(
      startServiceProcess({
        name,
        start: { service, env, databaseUrl: serviceUrls[service], time, statementTimeoutMs },
        logFile,
      }),
    );
  };
  const processes = [
    start("awareness-1", "awareness", { DS_AWARENESS_PORT: String(one) }),
    start("awareness-2", "awareness", { DS_AWARENESS_PORT: String(two) }),
    start("vault-1", "vault", { DS_VAULT_PORT: String(three) }),
    start("vault-2", "vault", { DS_VAULT_PORT: String(four) }),
  ];
  await Promise.all(processes.map((process) => process.life()));
  const vaultUrls = [three, four].map((port) => `http://127.0.0.1:${port}`);
  return { processes, vaultUrls, awarenessUrl };
}

async function findFreePort(): Promise<number> {
  for (;;) {
    const port = PORTS.from + Math.floor(Math.random() * (PORTS.to - PORTS.from));
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once("error", () => resolve(false));
      server.listen(port, "127.0.0.1", () => resolve((server.address() as AddressInfo).port === port));
    });
    await new Promise((closed) => server.close(closed));
    if (isFree) return port;
  }
}

async function post<Answer>(url: string, body: object): Promise<Answer> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${text}`);
  return JSON.parse(text) as Answer;
}
