import assert from "node:assert/strict";
import { readdir, stat } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { StartupError } from "@dataspace/service-kit/startup-error";
import { createWalletKey } from "@dataspace/wallet/wallet-key";
import { createOwner } from "../create-owner.ts";
import { seedDemoIdentities } from "../demo-identities.ts";
import { askGraphQL, create } from "./support/ask.ts";
import { openTestHome, startTestSpace } from "./support/start-test-space.ts";

async function readKeySets({ registryUrl, awarenessUrl }: { registryUrl: string; awarenessUrl: string }) {
  const addresses = [`${registryUrl}/.well-known/jwks.json`, `${awarenessUrl}/.well-known/webhook-keys`];
  return Promise.all(addresses.map(async (address) => (await fetch(address)).json()));
}

test("a restart keeps data, demo people, secrets and the keys of registry and awareness (decisions, The development stack)", async () => {
  await using home = await openTestHome();
  const first = await home.start();
  const owner = await createOwner(first, (await createWalletKey()).publicKey);
  await create(first, { owner }, { ontology: "note-v1", payload: { text: "still here" } });
  const people = await seedDemoIdentities(first);
  const keySets = await readKeySets(first);
  const { settings } = first;
  await first[Symbol.asyncDispose]();

  await using second = await home.start();
  const { data } = await askGraphQL(second, { owner }, { query: "{ metaEnvelopes { edges { node { parsed } } } }" });
  assert.deepEqual(data, { metaEnvelopes: { edges: [{ node: { parsed: { text: "still here" } } }] } });
  assert.deepEqual(await readKeySets(second), keySets);
  for (const name of ["DS_SECRET", "REGISTRY_SHARED_SECRET", "DS_PROVISIONING_TOKEN"]) {
    assert.equal(second.settings[name], settings[name]);
  }
  assert.deepEqual(await seedDemoIdentities(second), people);
});

test("every demo person is found at the vault with what was written for them (decision P5)", async () => {
  await using space = await startTestSpace({ DS_VAULT_AUTH: "enforced" });
  const people = await seedDemoIdentities(space);
  assert.equal(people.length, 3);
  for (const { ename, name } of people) {
    const whois = await fetch(`${space.vaultUrl}/whois`, { headers: { "x-ename": ename } });
    const { keyBindingCertificates } = (await whois.json()) as { keyBindingCertificates: string[] };
    assert.equal(keyBindingCertificates.length, 1, name);
  }
});

test("secrets lie in files for their owner alone, and a setting of the environment replaces them (decisions, The development stack)", async () => {
  const DS_SECRET = "an operator's own secret, 0123456789abcdef";
  await using space = await startTestSpace({ DS_SECRET });
  const directory = join(space.dataDirectory, "secrets");
  const names = await readdir(directory);
  assert.deepEqual(names.sort(), [
    "DS_AUTHORITY_SIGNING_KEY_JWK",
    "DS_AWARENESS_SIGNING_KEY_JWK",
    "DS_INGEST_SECRET",
    "DS_PROVISIONING_TOKEN",
    "REGISTRY_SHARED_SECRET",
    "REGISTRY_SIGNING_KEY_JWK",
  ]);
  for (const name of names) assert.equal((await stat(join(directory, name))).mode & 0o777, 0o600);
  assert.equal(space.settings["DS_SECRET"], DS_SECRET);
});

test("a second start on the same data directory is refused within 1 s with exit code 75 and the holder's pid, before any port is tried (decision P6) [V-DEC-016]", async () => {
  await using home = await openTestHome();
  await using space = await home.start();
  const port = new URL(space.vaultUrl).port;
  const startedMs = performance.now();
  await assert.rejects(home.start({ DS_VAULT_PORT: port }), (error) => {
    assert.ok(error instanceof StartupError);
    assert.equal(error.exitCode, 75);
    assert.match(error.message, new RegExp(`process ${process.pid}\\b`));
    return true;
  });
  assert.ok(performance.now() - startedMs < 3_000);
});

test("a busy port is reported with its setting, for the service and for its admin port [P6] [V-DEC-015]", async () => {
  await using home = await openTestHome();
  await using taken = await takePort();
  await assert.rejects(home.start({ DS_VAULT_PORT: String(taken.port) }), /^StartupError: DS_VAULT_PORT: port/);
  await assert.rejects(
    home.start({ DS_VAULT_PORT: String(taken.port - 10_000) }),
    /^StartupError: DS_VAULT_PORT: the admin port/,
  );
});

/** Takes a port that a setting may name, and that is no other's admin port. */
async function takePort(): Promise<AsyncDisposable & { readonly port: number }> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 10_000);
    const server = createServer();
    const isTaken = await new Promise<boolean>((resolve) => {
      server.once("error", () => resolve(false)).listen(port, "127.0.0.1", () => resolve(true));
    });
    if (isTaken) return { port, [Symbol.asyncDispose]: () => new Promise((closed) => server.close(() => closed())) };
  }
}
