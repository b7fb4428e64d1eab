import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { test } from "node:test";
import { type EName, parseEName } from "@dataspace/protocol/ename";
import { CompactSign } from "jose";
import { createCertifiedKeys } from "./certified-keys.ts";
import { createRegistryClient } from "./registry-client.ts";
import { createRemoteKeySet } from "./remote-key-set.ts";

const ALICE = parseEName("@11111111-1111-4111-8111-111111111111");
const BOB = parseEName("@22222222-2222-4222-8222-222222222222");
const START_SECONDS = 1_800_000_000;

test("findCertifiedKeys() asks the registry, then that vault's /whois with X-ENAME, and gives the certified keys [S1 GET /whois] [I4]", async () => {
  const world = setup();
  const key = createKey();
  await world.certify(ALICE, key.publicKey, 3600);
  const [found, ...more] = await world.find(ALICE);
  assert.deepEqual(more, []);
  assert.deepEqual([found?.publicKey, found?.expiresAtSeconds], [key.publicKey, START_SECONDS + 3600]);
  assert.deepEqual(found?.point, key.point);
  assert.deepEqual(world.asked, [
    `https://registry.example/resolve?dsid=${encodeURIComponent(ALICE)}`,
    `https://vault.example/whois ${ALICE}`,
    "https://registry.example/.well-known/jwks.json",
  ]);
});

test("findCertifiedKeys() caches keys for 300 s, never beyond the first certificate's expiry, separately for each eName [V-TOK-009]", async () => {
  const world = setup();
  await world.certify(ALICE, createKey().publicKey, 3600);
  await world.certify(BOB, createKey().publicKey, 3600);
  await world.certify(BOB, createKey().publicKey, 100);
  const visits = async (ename: EName): Promise<number> => {
    const before = world.visits();
    await world.find(ename);
    return world.visits() - before;
  };
  assert.deepEqual([await visits(ALICE), await visits(BOB), await visits(ALICE), await visits(BOB)], [1, 1, 0, 0]);
  world.advanceSeconds(99);
  assert.deepEqual([await visits(ALICE), await visits(BOB)], [0, 0]);
  world.advanceSeconds(2);
  assert.deepEqual([await visits(ALICE), await visits(BOB)], [0, 1]);
  world.advanceSeconds(198);
  assert.equal(await visits(ALICE), 0);
  world.advanceSeconds(2);
  assert.equal(await visits(ALICE), 1);
});

test("findCertifiedKeys() with `fresh` looks the keys up again and caches the result [V14]", async () => {
  const world = setup();
  await world.certify(ALICE, createKey().publicKey, 3600);
  assert.equal((await world.find(ALICE)).length, 1);
  await world.certify(ALICE, createKey().publicKey, 3600);
  assert.equal((await world.find(ALICE)).length, 1);
  assert.equal((await world.find(ALICE, { fresh: true })).length, 2);
  assert.deepEqual([(await world.find(ALICE)).length, world.visits()], [2, 2]);
});

test("findCertifiedKeys() looks up once for concurrent callers, and caches neither failures nor an empty list [I4]", async () => {
  const world = setup();
  assert.deepEqual(await world.find(ALICE), []);
  await world.certify(ALICE, createKey().publicKey, 3600);
  world.vaultDown(true);
  const failures = await Promise.allSettled(Array.from({ length: 10 }, () => world.find(ALICE)));
  assert.deepEqual(
    failures.map(({ status }) => status),
    Array(10).fill("rejected"),
  );
  assert.equal(world.visits(), 2);
  world.vaultDown(false);
  const found = await Promise.all(Array.from({ length: 10 }, () => world.find(ALICE)));
  assert.deepEqual(new Set(found.map((keys) => keys.length)), new Set([1]));
  assert.equal(world.visits(), 3);
});

test("findCertifiedKeys() distinguishes an unknown eName (refused, 404) from an unreachable registry and from another host's 404", async () => {
  const world = setup();
  world.registryAnswers(() => Response.json({ error: { code: "UNKNOWN_ENAME" } }, { status: 404 }));
  await assert.rejects(world.find(ALICE), (error: { code: string; refusal?: { status: number } }) => {
    assert.deepEqual([error.code, error.refusal?.status], ["refused", 404]);
    return true;
  });
  for (const [answer, code] of [
    [() => new Response("<html>", { status: 404 }), "malformed"],
    [() => Response.json({}, { status: 503 }), "refused"],
    [() => Response.json({ kind: "vault", ename: BOB, uri: "https://vault.example", vault: "@v" }), "malformed"],
    [() => Response.json({ kind: "vault", ename: ALICE, uri: "https://vault.example/?a=", vault: "@v" }), "malformed"],
    [() => Promise.reject(new TypeError("fetch failed")), "unreachable"],
  ] as const) {
    world.registryAnswers(answer);
    await assert.rejects(world.find(ALICE), (error: { code: string; refusal?: { status: number } }) => {
      assert.equal(error.code, code);
      assert.notEqual(error.refusal?.status, 404);
      return true;
    });
  }
  assert.equal(world.visits(), 0);
});

test("findCertifiedKeys() fails while the registry's keys are not available, and does not leave a certificate out", async () => {
  const world = setup();
  await world.certify(ALICE, createKey().publicKey, 3600);
  world.keySetDown(true);
  await assert.rejects(world.find(ALICE), { name: "UpstreamError", code: "refused" });
});

// Registry and vault are other parties here: stubs at the edge of `fetch`.
function setup() {
  const issuer = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const jwk = { ...issuer.publicKey.export({ format: "jwk" }), kid: "k1" };
  const certificates = new Map<string, string[]>();
  const asked: string[] = [];
  const clock = { nowMs: () => START_SECONDS * 1000 + aheadMs };
  let aheadMs = 0;
  let visits = 0;
  let vaultIsDown = false;
  let keySetIsDown = false;
  let resolve = (ename: string): Response | Promise<Response> =>
    Response.json({ kind: "vault", ename, uri: "https://vault.example/", vault: "@v" });
  const fetch = async (url: string): Promise<Response> => {
    asked.push(url);
    if (url.includes("/resolve")) return resolve(new URL(url).searchParams.get("dsid") ?? "");
    return Response.json({ keys: [jwk] }, { status: keySetIsDown ? 503 : 200 });
  };
  const guardedFetch = async (url: string, init: RequestInit): Promise<Response> => {
    const dsid = new Headers(init.headers).get("x-ename") ?? "";
    asked.push(`${url} ${dsid}`);
    visits += 1;
    const answer = { dsid, vaultId: "@v", keyBindingCertificates: certificates.get(dsid) ?? [] };
    return Response.json(answer, { status: vaultIsDown ? 503 : 200 });
  };
  const keySet = createRemoteKeySet({ fetch, clock }, { keySetUrl: "https://registry.example/.well-known/jwks.json" });
  const registry = createRegistryClient({ fetch }, { registryUrl: "https://registry.example" });
  return {
    find: createCertifiedKeys({ guardedFetch, clock, keySet, registry }),
    asked,
    visits: () => visits,
    advanceSeconds: (seconds: number) => {
      aheadMs += seconds * 1000;
    },
    vaultDown: (isDown: boolean) => {
      vaultIsDown = isDown;
    },
    keySetDown: (isDown: boolean) => {
      keySetIsDown = isDown;
    },
    registryAnswers: (answer: () => Response | Promise<Response>) => {
      resolve = answer;
    },
    certify: async (ename: EName, publicKey: string, lifetimeSeconds: number) => {
      const claims = { ename, publicKey, iat: START_SECONDS, exp: START_SECONDS + lifetimeSeconds };
      const signed = new CompactSign(new TextEncoder().encode(JSON.stringify(claims)));
      const certificate = await signed.setProtectedHeader({ alg: "ES256", kid: "k1" }).sign(issuer.privateKey);
      certificates.set(ename, [...(certificates.get(ename) ?? []), certificate]);
    },
  };
}

function createKey(): { readonly publicKey: string; readonly point: Uint8Array } {
  const spki = generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey.export({ format: "der", type: "spki" });
  return { publicKey: `z${spki.toString("hex")}`, point: new Uint8Array(spki.subarray(26)) };
}
