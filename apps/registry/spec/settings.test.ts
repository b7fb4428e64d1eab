import assert from "node:assert/strict";
import { test } from "node:test";
import { envToStandaloneConfig } from "../src/config.ts";
import { createJwk } from "./support/start-test-registry.ts";

test("in production the registry issues no legacy platform tokens unless a setting allows it [V-DEC-245]", () => {
  const env = {
    NODE_ENV: "production",
    DATABASE_URL: "postgres://registry@127.0.0.1/registry",
    REGISTRY_SHARED_SECRET: "a shared secret of this test 0123456789",
    REGISTRY_SIGNING_KEY_JWK: JSON.stringify(createJwk()),
  };
  assert.equal(envToStandaloneConfig(env).legacyMint, false);
  assert.equal(envToStandaloneConfig({ ...env, REGISTRY_LEGACY_MINT: "on" }).legacyMint, true);
});
