import assert from "node:assert/strict";
import { test } from "node:test";
import { createRemoteKeySet } from "@dataspace/clients/remote-key-set";
import { openDatabase } from "@dataspace/service-kit/postgres/database";
import { withdrawKey } from "@dataspace/service-kit/published-keys/withdraw-key";
import { ask } from "./support/ask.ts";
import { createJwk, startTestRegistry } from "./support/start-test-registry.ts";

const [OLD, NEXT] = [
  { ...createJwk(), kid: "old" },
  { ...createJwk(), kid: "next" },
];
/** The settings of each step of a rotation, as `dataspace keys rotate` makes them. */
const STEPS = [OLD, { keys: [OLD, NEXT] }, { keys: [NEXT, OLD] }, { keys: [NEXT] }];
const CACHE_SECONDS = 300;

test("keys rotate on two instances in turn while tokens are issued and verified: no verification fails, with each verifier's cache at its oldest [X2]", async (t) => {
  let nowMs = Date.parse("2026-11-21T12:00:00Z");
  const start = (signingKey: unknown, databaseUrl?: string) =>
    startTestRegistry(t, { signingKey, nowMs: () => nowMs, ...(databaseUrl === undefined ? {} : { databaseUrl }) });
  const first = await start(OLD);
  const instances = [first, await start(OLD, first.databaseUrl)];
  const clock = { nowMs: () => nowMs };
  const failures: unknown[] = [];
  let verified = 0;
  // Each verifier fetched its keys at another moment, from another instance.
  const verifiers = Array.from({ length: 6 }, (_, index) =>
    createRemoteKeySet(
      { fetch: (url, init) => fetch(url, init), clock },
      {
        get keySetUrl() {
          return `${instances[index % 2]?.url}/.well-known/jwks.json`;
        },
        cacheSeconds: CACHE_SECONDS,
      },
    ),
  );
  const verifyAll = async (): Promise<void> => {
    for (const { url } of instances) {
      const { body } = await ask<{ token: string }>(`${url}/entropy`);
      for (const verifier of verifiers) {
        await verifier.verify(body.token).then(
          () => (verified += 1),
          (error) => failures.push(error),
        );
      }
    }
  };
  for (const signingKey of STEPS) {
    for (const index of [0, 1]) {
      instances[index] = await start(signingKey, first.databaseUrl);
      await verifyAll();
    }
    nowMs += (CACHE_SECONDS + 1) * 1_000;
    await verifyAll();
  }
  assert.deepEqual(failures, []);
  assert.equal(verified, STEPS.length * 3 * 2 * verifiers.length);
});

test("a withdrawn key is published no more after a restart and never signs again, whatever the setting says, its kid is never another key's, and a signing key is not withdrawn [X2]", async (t) => {
  const before = await startTestRegistry(t, { signingKey: OLD });
  const { databaseUrl } = before;
  await startTestRegistry(t, { signingKey: NEXT, databaseUrl });
  const limits = { maxConnections: 1, statementTimeoutMs: 5_000, connectTimeoutMs: 5_000, applicationName: "test" };
  await using database = openDatabase({ url: databaseUrl, ...limits }, () => undefined);
  assert.equal(await withdrawKey(database, "registry_key", "next"), "signing");
  assert.equal(await withdrawKey(database, "registry_key", "none"), "unknown");
  assert.equal(await withdrawKey(database, "registry_key", "old"), undefined);
  const { d: _private, ...again } = { ...OLD, kid: "again" };
  for (const signingKey of [NEXT, { keys: [NEXT, OLD] }, { keys: [NEXT, again] }]) {
    const after = await startTestRegistry(t, { signingKey, databaseUrl });
    const { body } = await ask<{ keys: readonly { kid: string }[] }>(`${after.url}/.well-known/jwks.json`);
    assert.deepEqual(
      body.keys.map(({ kid }) => kid),
      ["next"],
    );
  }
  await assert.rejects(startTestRegistry(t, { signingKey: OLD, databaseUrl }), { exitCode: 78, message: /withdrawn/ });
  await assert.rejects(startTestRegistry(t, { signingKey: { ...createJwk(), kid: "old" }, databaseUrl }), {
    exitCode: 78,
  });
});
