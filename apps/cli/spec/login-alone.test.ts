import assert from "node:assert/strict";
import { generateKeyPairSync, randomBytes } from "node:crypto";
import { test } from "node:test";
import { openTestDatabase, TEST_SERVER_SETTING } from "@dataspace/service-kit/testing/test-database";
import { type RunningCommand, startCommand } from "./support/start-command.ts";

const MIGRATIONS = ["001-clients", "002-secret-rotation"];

function settingsFor(databaseUrl: string): Record<string, string> {
  const key = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" });
  return {
    NODE_ENV: "production",
    DATABASE_URL: databaseUrl,
    DS_OIDC_ISSUER: "https://login.example.org",
    DS_OIDC_PORT: "0",
    DS_REGISTRY_URL: "https://registry.example.org",
    DS_OIDC_SIGNING_KEY_JWK: JSON.stringify(key),
    DS_OIDC_PORTAL_SECRET: randomBytes(32).toString("base64url"),
  };
}

async function addressesOf(service: RunningCommand): Promise<{ readonly url: string; readonly adminUrl: string }> {
  await service.shows("listens");
  const line =
    service
      .stdout()
      .split("\n")
      .find((text) => text.includes("adminUrl")) ?? "{}";
  return JSON.parse(line) as { url: string; adminUrl: string };
}

test("the connector refuses to start while migrations are pending and names them; login migrate applies them once [L-OPS-004] [L-OPS-005]", async () => {
  await using database = await openTestDatabase(process.env[TEST_SERVER_SETTING]);
  const settings = settingsFor(database.url);
  await using early = startCommand(["login"], settings);
  assert.equal(await early.ended, 78);
  for (const name of MIGRATIONS) assert.match(`${early.stdout()}${early.stderr()}`, new RegExp(name));
  await using migrate = startCommand(["login", "migrate"], { DATABASE_URL: database.url });
  assert.equal(await migrate.ended, 0, migrate.stderr());
  for (const name of MIGRATIONS) assert.match(migrate.stdout(), new RegExp(name));
  await using again = startCommand(["login", "migrate"], { DATABASE_URL: database.url });
  assert.equal(await again.ended, 0);
  assert.match(again.stdout(), /No migration was pending/);
});

test("a second connector on the database refuses to start and names the first; after the first has gone, even killed, another starts [L-OPS-001]", async () => {
  await using database = await openTestDatabase(process.env[TEST_SERVER_SETTING]);
  const settings = settingsFor(database.url);
  await using migrate = startCommand(["login", "migrate"], { DATABASE_URL: database.url });
  assert.equal(await migrate.ended, 0, migrate.stderr());
  const first = startCommand(["login"], settings);
  const { url, adminUrl } = await addressesOf(first);
  assert.equal((await fetch(`${url}/healthz`)).status, 200);
  assert.equal((await fetch(`${adminUrl}/readyz`)).status, 200);
  const metrics = await (await fetch(`${adminUrl}/metrics`)).text();
  for (const name of ["login_pending", "login_answers_total", "login_exchanges_total"]) {
    assert.match(metrics, new RegExp(`# TYPE ${name} `));
  }
  assert.equal((await fetch(`${url}/metrics`)).status, 404, "metrics are for the admin port alone");
  await using second = startCommand(["login"], settings);
  assert.equal(await second.ended, 75);
  assert.match(`${second.stdout()}${second.stderr()}`, new RegExp(`pid ${first.pid} on `));
  first.kill("SIGKILL");
  await first.ended;
  await using third = startCommand(["login"], settings);
  await addressesOf(third);
});

test("in production every fault of the settings is named at once, and none of them repeats a secret [L-LIM-001] [L-LIM-002] [L-LIM-003] [L-LIM-015] [L-LIM-016] [L-LIM-018] [L-LIM-019]", async () => {
  await using none = startCommand(["login"], { NODE_ENV: "production" });
  assert.equal(await none.ended, 78);
  const missing = `${none.stdout()}${none.stderr()}`;
  for (const name of [
    "DATABASE_URL",
    "DS_OIDC_ISSUER",
    "DS_REGISTRY_URL",
    "DS_OIDC_SIGNING_KEY_JWK",
    "DS_OIDC_PORTAL_SECRET",
  ]) {
    assert.match(missing, new RegExp(`${name}: `), name);
  }
  await using wrong = startCommand(["login"], {
    NODE_ENV: "production",
    DATABASE_URL: "postgresql://127.0.0.1:9/none",
    DS_OIDC_ISSUER: "http://login.example.org/path",
    DS_REGISTRY_URL: "registry",
    DS_OIDC_SIGNING_KEY_JWK: '{"kty":"EC","d":"a-private-part"}',
    DS_OIDC_PORTAL_SECRET: "too-short-secret",
    DS_OIDC_SESSION_TTL_SECONDS: "soon",
  });
  assert.equal(await wrong.ended, 78);
  const said = `${wrong.stdout()}${wrong.stderr()}`;
  for (const fault of [
    /DS_OIDC_ISSUER: [^\n]*path/,
    /DS_OIDC_ISSUER: [^\n]*https/,
    /DS_REGISTRY_URL: /,
    /DS_OIDC_SIGNING_KEY_JWK: /,
    /DS_OIDC_PORTAL_SECRET: /,
    /DS_OIDC_SESSION_TTL_SECONDS: /,
  ]) {
    assert.match(said, fault);
  }
  assert.doesNotMatch(said, /a-private-part|too-short-secret/);
});
