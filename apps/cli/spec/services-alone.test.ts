import assert from "node:assert/strict";
import { generateKeyPairSync, randomBytes } from "node:crypto";
import { test } from "node:test";
import { DEMO_VERIFICATION_CODE } from "@dataspace/protocol/demo-verification-code";
import { openTestDatabase, TEST_SERVER_SETTING } from "@dataspace/service-kit/testing/test-database";
import { type RunningCommand, startCommand } from "./support/start-command.ts";
import { makeTemporaryDirectory } from "./support/temporary-directory.ts";

/** The address in the line that a listening service prints. */
async function listens(service: RunningCommand): Promise<string> {
  await service.shows("listens");
  return /"url":"(http:[^"]+)"/.exec(service.stdout())?.[1] ?? "";
}

async function post(url: string, body: object): Promise<{ readonly status: number; readonly body: { dsid: string } }> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  return { status: response.status, body: (await response.json()) as { dsid: string } };
}

test("in production registry, vault, provisioner and awareness start alone with settings from the environment, make a vault together, are ready, and stop with 0 (decision P5) [V-DEC-019]", async () => {
  await using database = await openTestDatabase(process.env[TEST_SERVER_SETTING]);
  await using files = await makeTemporaryDirectory();
  const secret = (): string => randomBytes(32).toString("base64url");
  const key = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" });
  const settings = {
    NODE_ENV: "production",
    DATABASE_URL: database.url,
    REGISTRY_SHARED_SECRET: secret(),
    REGISTRY_SIGNING_KEY_JWK: JSON.stringify(key),
    DS_SECRET: secret(),
    DS_REGISTRY_PORT: "0",
    DS_VAULT_PORT: "0",
    DS_PROVISIONER_PORT: "0",
    DS_AWARENESS_PORT: "0",
  };
  await using early = startCommand(["registry"], settings);
  assert.equal(await early.ended, 78);
  assert.match(early.stderr(), /registry: 001-initial\.sql.*dataspace migrate registry/);
  await using migrate = startCommand(["migrate"], settings);
  assert.equal(await migrate.ended, 0, migrate.stderr());
  assert.match(migrate.stdout(), /Applied vault 001-initial\.sql/);
  await using registry = startCommand(["registry"], settings);
  const registryUrl = await listens(registry);
  await using vault = startCommand(["vault"], {
    ...settings,
    DS_REGISTRY_URL: registryUrl,
    DS_VAULT_URL: "https://vault.example.org",
    DS_FILES: files.path,
    DS_AWARENESS_URL: "http://127.0.0.1:9",
    DS_INGEST_SECRET: secret(),
  });
  const vaultUrl = await listens(vault);
  const addresses = { DS_REGISTRY_URL: registryUrl, DS_VAULT_URL: vaultUrl };
  await using provisioner = startCommand(["provisioner"], { ...settings, ...addresses });
  const provisionerUrl = await listens(provisioner);
  await using awareness = startCommand(["awareness"], {
    ...settings,
    DS_REGISTRY_URL: registryUrl,
    DS_AWARENESS_URL: "https://awareness.example.org",
    DS_INGEST_SECRET: secret(),
    DS_AWARENESS_SIGNING_KEY_JWK: JSON.stringify(generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" })),
  });
  const awarenessUrl = await listens(awareness);
  assert.equal(
    (await fetch(`${awarenessUrl}/api/subscriptions`)).status,
    401,
    "nobody is a consumer without a credential",
  );
  await using issue = startCommand(["verification", "issue", "--json"], settings);
  assert.equal(await issue.ended, 0, issue.stderr());

  const { token } = (await (await fetch(`${registryUrl}/entropy`)).json()) as { token: string };
  const request = { registryEntropy: token, namespace: crypto.randomUUID() };
  assert.equal(
    (await post(`${provisionerUrl}/provision`, { ...request, verificationId: DEMO_VERIFICATION_CODE })).status,
    400,
  );
  const made = await post(`${provisionerUrl}/provision`, {
    ...request,
    verificationId: JSON.parse(issue.stdout()).code,
  });
  assert.equal(made.status, 200);
  const whois = await fetch(`${vaultUrl}/whois`, { headers: { "x-ename": made.body.dsid } });
  assert.equal(whois.status, 200);

  for (const service of [registry, vault, provisioner, awareness]) {
    const adminUrl = /"adminUrl":"(http:[^"]+)"/.exec(service.stdout())?.[1];
    assert.equal((await fetch(`${adminUrl}/readyz`)).status, 200);
    service.kill("SIGTERM");
    assert.equal(await service.ended, 0, service.stdout());
  }
});

test("a vault alone that trusts headers says so in its log at the start, and one without that setting does not trust them [V-DEC-148] [V-DEC-140]", async () => {
  await using database = await openTestDatabase(process.env[TEST_SERVER_SETTING]);
  const settings = {
    DATABASE_URL: database.url,
    REGISTRY_SHARED_SECRET: randomBytes(32).toString("base64url"),
    DS_SECRET: randomBytes(32).toString("base64url"),
    DS_REGISTRY_URL: "http://127.0.0.1:9",
    DS_VAULT_PORT: "0",
  };
  await using trusting = startCommand(["vault"], { ...settings, DS_VAULT_AUTH: "header" });
  await listens(trusting);
  assert.match(trusting.stdout(), /"level":"warn"[^\n]*DS_VAULT_AUTH=header/);
  await using enforcing = startCommand(["vault"], settings);
  await listens(enforcing);
  assert.doesNotMatch(enforcing.stdout(), /DS_VAULT_AUTH/);
});
