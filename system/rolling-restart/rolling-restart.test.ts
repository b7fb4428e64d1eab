import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { awarenessMigrations } from "@dataspace/awareness/migrations";
import { parseEName } from "@dataspace/protocol/ename";
import { migrate } from "@dataspace/service-kit/postgres/migrations";
import { openTestDatabase, TEST_SERVER_SETTING } from "@dataspace/service-kit/testing/test-database";
import { vaultMigrations } from "@dataspace/vault/migrations";
import { createProvisionedVault } from "@dataspace/vault/provisioning";
import { CHECKOUT_DIRECTORY } from "../checkout.ts";
import { type Backend, startReadinessProxy } from "./readiness-proxy.ts";

const MAIN = join(CHECKOUT_DIRECTORY, "apps/cli/src/main.ts");
const CREATE =
  'mutation { createMetaEnvelope(input: { ontology: "note", payload: { n: 1 }, acl: ["*"] }) { metaEnvelope { id } errors { code } } }';
const PAUSE_MS = 10;
const DISPATCH_ROUNDS = 200;

interface Instance extends Backend {
  /** Stops it as a service manager does. Out: its exit code. */
  readonly stop: () => Promise<number | null>;
}

async function start(service: string, env: Readonly<Record<string, string>>): Promise<Instance> {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(?:DS_|DATABASE_URL|REGISTRY_)/.test(name));
  const child = spawn(process.execPath, [MAIN, service], { env: { ...Object.fromEntries(inherited), ...env } });
  let written = "";
  const ended = new Promise<number | null>((resolve) => child.once("close", (code) => resolve(code)));
  const found = Promise.withResolvers<Backend>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      written += text;
      const match = /"url":"([^"]+)","adminUrl":"([^"]+)"/.exec(written);
      if (match?.[1] !== undefined && match[2] !== undefined) found.resolve({ url: match[1], adminUrl: match[2] });
    });
  }
  void ended.then((code) => found.reject(new Error(`${service} ended with ${code}: ${written}`)));
  const backend = await found.promise;
  return {
    ...backend,
    stop: async () => {
      child.kill("SIGTERM");
      return await ended;
    },
  };
}

test("two vaults and two awareness services on one database, restarted in turn behind a proxy: no request fails, each stop exits with 0, no event is lost [P5]", async () => {
  await using opened = new AsyncDisposableStack();
  const database = opened.use(await openTestDatabase(process.env[TEST_SERVER_SETTING]));
  for (const source of [vaultMigrations, awarenessMigrations]) await migrate(database, source);
  const owner = parseEName(crypto.randomUUID());
  await database.transaction((transaction) =>
    createProvisionedVault(transaction, { owner, vaultId: owner, nowMs: Date.now() }),
  );
  const files = await mkdtemp(join(tmpdir(), "dataspace-rolling-"));
  opened.defer(() => rm(files, { recursive: true, force: true }));
  const proxies = {
    vault: opened.use(await startReadinessProxy()),
    awareness: opened.use(await startReadinessProxy()),
  };
  const secret = () => randomBytes(32).toString("base64url");
  const env = {
    DATABASE_URL: database.url,
    DS_DRAIN_SECONDS: "1",
    DS_REGISTRY_URL: "http://127.0.0.1:65534",
    REGISTRY_SHARED_SECRET: secret(),
    DS_SECRET: secret(),
    DS_INGEST_SECRET: secret(),
    DS_VAULT_PORT: "0",
    DS_AWARENESS_PORT: "0",
    DS_VAULT_URL: proxies.vault.url,
    DS_AWARENESS_URL: proxies.awareness.url,
    DS_VAULT_AUTH: "header",
    DS_FILES: files,
    DS_RATE_LIMIT_PER_ADDRESS: "0",
    DS_RATE_LIMIT_PER_CALLER: "0",
    DS_RATE_LIMIT_ANONYMOUS: "0",
  };
  const running: { readonly service: "vault" | "awareness"; readonly index: number; instance: Instance }[] = [];
  opened.defer(async () => {
    await Promise.all(running.map(({ instance }) => instance.stop()));
  });
  for (const service of ["awareness", "vault"] as const) {
    for (const index of [0, 1]) {
      const instance = await start(service, env);
      running.push({ service, index, instance });
      proxies[service].backends[index] = instance;
    }
  }
  await waitUntil(async () => running.every(({ service, instance }) => proxies[service].sendsTo(instance)));

  const failures: string[] = [];
  const counts = { created: 0, read: 0 };
  let isLoading = true;
  const load = [
    async () => {
      const headers = { "content-type": "application/json", "x-ename": owner };
      const response = await fetch(`${proxies.vault.url}/graphql`, {
        method: "POST",
        headers,
        body: JSON.stringify({ query: CREATE }),
      });
      const text = await response.text();
      if (response.status === 200 && text.includes('"errors":null')) counts.created += 1;
      else if (response.status === 200 && text.includes('"id"')) counts.created += 1;
      else failures.push(`create: ${response.status} ${text}`);
    },
    async () => {
      const status = await read(proxies.awareness.url);
      if (status === 200) counts.read += 1;
      else failures.push(`read: ${status}`);
    },
  ].map(async (request) => {
    while (isLoading) {
      await request().catch((error: unknown) => failures.push(String(error)));
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  });
  for (const slot of running) {
    assert.equal(await slot.instance.stop(), 0);
    slot.instance = await start(slot.service, env);
    proxies[slot.service].backends[slot.index] = slot.instance;
    // Not before the proxy has seen it ready: else there is a moment in which no instance gets requests.
    const { instance } = slot;
    await waitUntil(async () => proxies[slot.service].sendsTo(instance));
  }
  isLoading = false;
  await Promise.all(load);
  assert.deepEqual(failures, []);
  assert.ok(counts.created > 0 && counts.read > 0, JSON.stringify(counts));
  const count = async (text: string) => (await database.query<{ n: number }>({ text, values: [] })).rows[0]?.n;
  await waitUntil(async () => (await count("select count(*) as n from event")) === counts.created);
});

async function read(url: string): Promise<number> {
  return (await fetch(`${url}/healthz`)).status;
}

async function waitUntil(holds: () => Promise<boolean>): Promise<void> {
  for (let round = 0; round < DISPATCH_ROUNDS; round += 1) {
    if (await holds()) return;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * 10));
  }
  assert.fail("it did not come true");
}
