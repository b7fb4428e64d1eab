import assert from "node:assert/strict";
import { test } from "node:test";
import { StartupError } from "@dataspace/service-kit/startup-error";
import { openTestHome, startTestSpace } from "./support/start-test-space.ts";

async function refusalOf(changes: Readonly<Record<string, string>>): Promise<string> {
  await using home = await openTestHome();
  try {
    await using space = await home.start(changes);
    return `started at ${space.vaultUrl}`;
  } catch (error) {
    assert.ok(error instanceof StartupError, String(error));
    return `${error.exitCode} ${error.message}`;
  }
}

test("the development stack does not start in production [V-DEC-029] (decisions P5, The development stack)", async () => {
  assert.match(await refusalOf({ NODE_ENV: "production" }), /^78 .*NODE_ENV/s);
});

test("DS_HOST beyond loopback needs DS_ACCEPT_HEADER_TRUST=1 (decision V20)", async () => {
  assert.match(await refusalOf({ DS_HOST: "0.0.0.0" }), /^78 .*DS_HOST/s);
  assert.match(await refusalOf({ DS_HOST: "0.0.0.0", DS_VAULT_AUTH: "enforced" }), /^78 .*DS_HOST/s);
  assert.match(
    await refusalOf({ DS_HOST: "0.0.0.0", DS_ACCEPT_HEADER_TRUST: "1" }),
    /^started at http:\/\/127\.0\.0\.1:/,
  );
});

test("every fault in the settings of all services is reported at once (decision P5) [V-DEC-017]", async () => {
  const message = await refusalOf({ DS_VAULT_AUTH: "open", REGISTRY_LEGACY_MINT: "perhaps", DS_VALUT_PORT: "4000" });
  assert.match(message, /^78 3 settings are wrong:/);
  for (const name of ["DS_VAULT_AUTH", "REGISTRY_LEGACY_MINT", "DS_VALUT_PORT"])
    assert.ok(message.includes(name), message);
  assert.ok(message.includes("did you mean DS_VAULT_PORT"), message);
});

test("no web page from elsewhere may call a service that grants anything without a credential (decision V20) [V-DEC-731]", async () => {
  await using space = await startTestSpace();
  for (const url of [`${space.registryUrl}/entropy`, `${space.vaultUrl}/healthz`]) {
    const foreign = await fetch(url, { headers: { origin: "https://attacker.example" } });
    assert.equal(foreign.status, 403, url);
    const local = await fetch(url, { headers: { origin: "http://localhost:8080" } });
    assert.equal(local.status, 200, url);
  }
});

test("on loopback there is no rate limit and no quota, at any service; beyond it the defaults hold, and a setting always does [V-LIM-007] [V-DEC-027]", async () => {
  const DS_HOST = "0.0.0.0";
  const asked = ["registryUrl", "vaultUrl"] as const;
  const policies = async (changes: Readonly<Record<string, string>>) => {
    await using space = await startTestSpace(changes);
    const answers = await Promise.all(asked.map((name) => fetch(`${space[name]}/healthz`)));
    const { settings } = space;
    return [...answers.map(({ headers }) => headers.get("ratelimit-policy")), settings["DS_QUOTA_RECORDS"]];
  };
  assert.deepEqual(await policies({}), [null, null, "0"]);
  const standard = '"address";q=3000;w=60';
  assert.deepEqual(await policies({ DS_HOST, DS_ACCEPT_HEADER_TRUST: "1" }), [standard, standard, undefined]);
  const own = '"address";q=7;w=60';
  assert.deepEqual(await policies({ DS_RATE_LIMIT_PER_ADDRESS: "7" }), [own, own, "0"]);
});

test("every address is http://127.0.0.1 with the port that answers, on that address alone [V-CNV-002] [V-DEC-019] [V-DEC-026] (decisions, The development stack)", async () => {
  await using space = await startTestSpace();
  for (const { url, adminUrl } of space.services) {
    assert.match(url, /^http:\/\/127\.0\.0\.1:\d+$/);
    assert.equal((await fetch(`${url}/healthz`)).status, 200);
    assert.equal((await fetch(`${adminUrl}/readyz`)).status, 200);
    assert.match(await (await fetch(`${adminUrl}/metrics`)).text(), /^http_requests_total\{route="GET \/healthz"/m);
    // Every address of 127/8 is this machine's: one that listens on all addresses would answer here too.
    await assert.rejects(fetch(`${url.replace("127.0.0.1", "127.0.0.2")}/healthz`), /fetch failed/);
  }
});
