import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { test } from "node:test";
import { createRemoteKeySet } from "@dataspace/clients/remote-key-set";
import { readSigningKeys, type SigningKeys } from "@dataspace/service-kit/published-keys/signing-keys";
import { startTestAuthority } from "./support/start-test-authority.ts";

const [OLD, NEXT] = ["old", "next"].map((kid) => ({
  ...generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" }),
  kid,
}));
/** The settings of each step of a rotation, as `dataspace keys rotate` makes them. */
const STEPS = [OLD, { keys: [OLD, NEXT] }, { keys: [NEXT, OLD] }, NEXT];
const CACHE_SECONDS = 300;

test("keys rotate on two instances in turn while certificates are issued and verified: no verification fails, and those of the retired key still verify [A1]", async (t) => {
  let nowMs = Date.now();
  const first = await startTestAuthority(t, { signingKeys: keysOf(OLD) });
  const { database } = first;
  const start = (setting: unknown) => startTestAuthority(t, { database, signingKeys: keysOf(setting) });
  const instances = [first, await start(OLD)];
  // Each verifier fetches its keys from another instance.
  const verifiers = instances.map((_, index) =>
    createRemoteKeySet(
      {
        fetch: (_url, init) => fetch(`${instances[index]?.url}/.well-known/jwks.json`, init),
        clock: { nowMs: () => nowMs },
      },
      { keySetUrl: "https://authority.example/.well-known/jwks.json", cacheSeconds: CACHE_SECONDS },
    ),
  );
  const certificates: string[] = [];
  // A version is certified once.
  const nextRelease = () => {
    const version = `1.${certificates.length}.0`;
    return { version, releaseTag: `v${version}` };
  };
  const signedBy = new Set<unknown>();
  const issueAndVerify = async (): Promise<void> => {
    for (const authority of instances) {
      const { status, body, text } = await authority.grant(await authority.submit(nextRelease()));
      assert.equal(status, 200, text);
      certificates.push(body.certificate);
    }
    for (const verifier of verifiers) {
      for (const certificate of certificates) signedBy.add((await verifier.verify(certificate)).header.kid);
    }
  };
  for (const setting of STEPS) {
    for (const index of [0, 1]) {
      instances[index] = await start(setting);
      await issueAndVerify();
    }
    nowMs += (CACHE_SECONDS + 1) * 1_000;
    await issueAndVerify();
  }
  assert.equal(certificates.length, STEPS.length * 3 * 2);
  assert.deepEqual(signedBy, new Set(["old", "next"]));
});

function keysOf(setting: unknown): SigningKeys {
  const reading = readSigningKeys(JSON.stringify(setting));
  assert.ok("keys" in reading);
  return reading.keys;
}
