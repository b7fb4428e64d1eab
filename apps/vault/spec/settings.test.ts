import assert from "node:assert/strict";
import { test } from "node:test";
import { envToVaultConfig } from "../src/config.ts";

const REQUIRED = {
  DS_REGISTRY_URL: "https://registry.example",
  DS_VAULT_URL: "https://vault.example",
  DS_DATA_DIR: "/data",
  REGISTRY_SHARED_SECRET: "a shared secret of this test 0123456789",
  DS_SECRET: "another secret of this test 0123456789",
  DS_AWARENESS_URL: "http://127.0.0.1:4100",
  DS_INGEST_SECRET: "an ingest secret of this test 0123456789",
};
const read = (env: Readonly<Record<string, string>> = {}) => envToVaultConfig({ ...REQUIRED, ...env });

test("without settings of its own a vault demands proof, on loopback and beyond, in development and in production [V-DEC-140] [V-DEC-148] [V-DEC-240]", () => {
  for (const NODE_ENV of ["", "development", "test", "production"]) {
    for (const DS_HOST of ["127.0.0.1", "0.0.0.0", "::1"]) {
      const { auth, legacyTokens, anonymousStore } = read({ NODE_ENV, DS_HOST });
      assert.deepEqual([auth, legacyTokens, anonymousStore], ["enforced", "accept", "quarantine"]);
    }
  }
});

test("trust in headers is refused in production and beyond loopback unless DS_ACCEPT_HEADER_TRUST=1 takes the blame [V-DEC-149] [V-DEC-726]", () => {
  const header = { DS_VAULT_AUTH: "header" };
  for (const where of [{ NODE_ENV: "production" }, { DS_HOST: "0.0.0.0" }, { DS_HOST: "192.0.2.7" }]) {
    assert.throws(() => read({ ...header, ...where }), { name: "StartupError", exitCode: 78 });
    assert.equal(read({ ...header, ...where, DS_ACCEPT_HEADER_TRUST: "1" }).auth, "header");
  }
  assert.equal(read(header).auth, "header");
});

test("a time and platforms of migration are read, and a wrong one is a fault", () => {
  const platform = "@7c9e6679-7425-40de-944b-e07fc1f90ae7";
  const { legacyIssuedBeforeMs, migrationPlatforms } = read({
    DS_LEGACY_ISSUED_BEFORE: "2026-12-31T00:00:00+01:00",
    DS_MIGRATION_PLATFORMS: ` ${platform.toUpperCase()} ,`,
  });
  assert.deepEqual([legacyIssuedBeforeMs, migrationPlatforms], [Date.UTC(2026, 11, 30, 23), new Set([platform])]);
  assert.deepEqual([read().legacyIssuedBeforeMs, read().migrationPlatforms], [undefined, new Set()]);
  assert.throws(() => read({ DS_MIGRATION_PLATFORMS: "https://p.example" }), /lists eNames/);
});

test("in production introspection and the IDE are off, and nothing switches them on [V-DEC-029]", () => {
  const { introspection, ide } = read({ NODE_ENV: "production", DS_DEV_ORIGINS: "page.example" });
  assert.deepEqual([introspection, ide], [false, false]);
});
