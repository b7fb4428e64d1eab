import assert from "node:assert/strict";
import { test } from "node:test";
import { systemClock } from "@dataspace/service-kit/clock";
import { StartupError } from "@dataspace/service-kit/startup-error";
import { issueWalletToken } from "@dataspace/wallet/issue-wallet-token";
import { createWalletKey } from "@dataspace/wallet/wallet-key";
import { envToVaultConfig } from "../src/config.ts";
import type { VaultLimits } from "../src/server.ts";
import { type Answer, ask, askGraphQL } from "./support/ask.ts";
import { create, DOCUMENTS, refusalOf } from "./support/operations.ts";
import { NO_LIMITS, startVault, type TestVault } from "./support/start-vault.ts";

const BULK = `mutation ($inputs: [BulkMetaEnvelopeInput!]!) {
  bulkCreateMetaEnvelopes(inputs: $inputs) { results { id error } successCount errors { code } } }`;

const withLimits = (limits: Partial<VaultLimits>, auth: "header" | "enforced" = "header") =>
  startVault({ auth, limits: { ...NO_LIMITS, ...limits } });

function platform(vault: TestVault, name: string): Readonly<Record<string, string>> {
  const iat = Math.floor(Date.now() / 1000);
  return { authorization: `Bearer ${vault.signAsRegistry({ platform: name, iat, exp: iat + 60 })}` };
}

function assertLimited({ status, headers, body }: Answer, policy: string): void {
  assert.deepEqual([status, body.error.code], [429, "RATE_LIMITED"]);
  assert.equal(headers.get("ratelimit-policy")?.split(", ").at(-1), policy);
  assert.match(headers.get("ratelimit") ?? "", /;r=0;t=\d+$/);
  const seconds = Number(headers.get("retry-after"));
  assert.ok(seconds >= 1 && seconds <= 60, String(seconds));
}

test("what an address sends over its limit is 429 RATE_LIMITED with Retry-After and RateLimit headers, whatever it asks for [V-LIM-007] [V-DEC-366]", async () => {
  await using vault = await withLimits({ perAddress: 3 });
  const owner = await vault.createOwner();
  const first = await askGraphQL(vault, owner, "{ metaEnvelopes { totalCount } }");
  assert.equal(first.status, 200);
  assert.equal(first.headers.get("ratelimit-policy"), '"address";q=3;w=60');
  assert.match(first.headers.get("ratelimit") ?? "", /^"address";r=2;t=60$/);
  assert.equal(first.headers.get("retry-after"), null);
  assert.equal((await ask(vault, "/healthz")).status, 200);
  assert.equal((await ask(vault, "/nothing")).status, 404);
  const policy = '"address";q=3;w=60';
  assertLimited(await askGraphQL(vault, owner, "{ metaEnvelopes { totalCount } }"), policy);
  assertLimited(await ask(vault, "/whois", { headers: { "x-ename": owner } }), policy);
  assertLimited(await ask(vault, "/nothing"), policy);
});

test("an address over its limit is refused before its token is looked at", async () => {
  await using vault = await withLimits({ perAddress: 1 }, "enforced");
  const owner = await vault.createOwner();
  const headers = { authorization: "Bearer nonsense" };
  const asked = () => askGraphQL(vault, owner, "{ metaEnvelopes { totalCount } }", {}, headers);
  assert.deepEqual([(await asked()).status, (await asked()).status], [401, 429]);
});

test("callers are counted each by itself and at each owner's vault, whichever token a person's wallet issues", async () => {
  await using vault = await withLimits({ perCaller: 2 }, "enforced");
  const key = await createWalletKey();
  const owner = await vault.createOwner(key.publicKey);
  const other = await vault.createOwner();
  const wallet = async () => ({
    authorization: `Bearer ${await issueWalletToken({ key, clock: systemClock }, { ename: owner, audience: owner })}`,
  });
  const read = (owner: string, headers: Readonly<Record<string, string>>) =>
    askGraphQL(vault, owner, "{ metaEnvelopes { totalCount } }", {}, headers);
  assert.equal((await read(owner, await wallet())).status, 200);
  assert.equal((await read(owner, await wallet())).status, 200);
  assertLimited(await read(owner, await wallet()), '"caller";q=2;w=60');
  const logs = await ask(vault, "/logs", { headers: { "x-ename": owner, ...(await wallet()) } });
  assertLimited(logs, '"caller";q=2;w=60');
  for (const [reader, name] of [
    [owner, "https://p"],
    [owner, "https://p"],
    [owner, "https://q"],
    [other, "https://p"],
  ]) {
    assert.equal((await read(reader as string, platform(vault, name as string))).status, 200);
  }
  assertLimited(await read(owner, platform(vault, "https://p")), '"caller";q=2;w=60');
});

test("an asserted eName is not a limit's key: in header mode nobody uses up another's limit", async () => {
  await using vault = await withLimits({ perCaller: 1, anonymous: 1 });
  const owner = await vault.createOwner();
  for (const _ of [1, 2, 3]) await create(vault, owner, { payload: {} });
});

test("a stranger's stores have a stricter limit, and others from the same address go on [V-LIM-007] [V-DEC-165]", async () => {
  await using vault = await withLimits({ anonymous: 2, perAddress: 100 }, "enforced");
  const owner = await vault.createOwner();
  const store = "mutation ($input: MetaEnvelopeInput!) { storeMetaEnvelope(input: $input) { metaEnvelope { id } } }";
  const asked = () => askGraphQL(vault, owner, store, { input: { ontology: "o", payload: {} } });
  assert.deepEqual([(await asked()).status, (await asked()).status], [200, 200]);
  assertLimited(await asked(), '"anonymous";q=2;w=60');
  assert.equal(
    (await askGraphQL(vault, owner, "{ metaEnvelopes { totalCount } }", {}, platform(vault, "p"))).status,
    200,
  );
  assert.equal((await ask(vault, "/whois", { headers: { "x-ename": owner } })).status, 200);
});

test("at the quota a create is QUOTA_EXCEEDED, an update and a removal go on, and a removal makes room [V-DEC-740]", async () => {
  await using vault = await withLimits({ recordsPerOwner: 2 });
  const owner = await vault.createOwner();
  const other = await vault.createOwner();
  const ids = [await create(vault, owner, { payload: { n: 1 } }), await create(vault, owner, { payload: { n: 2 } })];
  const input = { ontology: "note", payload: { n: 3 } };
  const more = () => askGraphQL(vault, owner, DOCUMENTS.create, { input });
  assert.equal(refusalOf(await more()).code, "QUOTA_EXCEEDED");
  await create(vault, other, { payload: {} });
  const updated = await askGraphQL(vault, owner, DOCUMENTS.update, { id: ids[0], input });
  assert.deepEqual(updated.body.data.updateMetaEnvelope.errors, []);
  await askGraphQL(vault, owner, DOCUMENTS.remove, { id: ids[0] });
  assert.deepEqual((await more()).body.data.createMetaEnvelope.errors, []);
  const revive = `mutation ($id: ID!) { rollbackMetaEnvelope(id: $id, version: 1) { version errors { code field message } } }`;
  assert.equal(refusalOf(await askGraphQL(vault, owner, revive, { id: ids[0] })).code, "QUOTA_EXCEEDED");
});

test("of twenty creates at once, with and without a key, at two vaults, exactly as many as there is room for are written [V-DEC-740]", async () => {
  await using vault = await withLimits({ recordsPerOwner: 5 });
  await using second = await startVault({ limits: { ...NO_LIMITS, recordsPerOwner: 5 } }, { database: vault.database });
  const owner = await vault.createOwner();
  const input = { ontology: "note", payload: {} };
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) => {
      const headers = n % 4 < 2 ? {} : { "idempotency-key": `k-${n}` };
      return askGraphQL(n % 2 === 0 ? vault : second, owner, DOCUMENTS.create, { input }, headers);
    }),
  );
  const codes = answers.map(({ body }) => body.data.createMetaEnvelope.errors[0]?.code ?? "written");
  assert.equal(codes.filter((code) => code === "written").length, 5, codes.join());
  assert.equal(codes.filter((code) => code === "QUOTA_EXCEEDED").length, 15);
});

test("a bulk writes what there is room for; each further item's error begins with QUOTA_EXCEEDED [V-DEC-740]", async () => {
  await using vault = await withLimits({ guestRecordsPerOwner: 130 });
  const owner = await vault.createOwner((await createWalletKey()).publicKey);
  const inputs = Array.from({ length: 150 }, (_, n) => ({ id: `n${n}`, ontology: "note", payload: { n } }));
  const { body } = await askGraphQL(vault, owner, BULK, { inputs }, platform(vault, "https://p"));
  const { results, successCount } = body.data.bulkCreateMetaEnvelopes;
  assert.equal(successCount, 130);
  assert.equal(results[129].error, null);
  for (const { error } of results.slice(130)) assert.match(error, /^QUOTA_EXCEEDED: /);
  const input = { ontology: "note", payload: {} };
  const more = await askGraphQL(vault, owner, DOCUMENTS.create, { input }, platform(vault, "https://p"));
  assert.equal(refusalOf(more).code, "QUOTA_EXCEEDED");
});

test("far below the quota the count is asked once in a thousand creates, and the quota holds all the same [V-DEC-740]", async () => {
  await using vault = await withLimits({ recordsPerOwner: 320 });
  const owner = await vault.createOwner();
  const codes: string[] = [];
  while (!codes.includes("QUOTA_EXCEEDED")) {
    const input = { ontology: "note", payload: {} };
    const answers = await Promise.all(
      Array.from({ length: 16 }, () => askGraphQL(vault, owner, DOCUMENTS.create, { input })),
    );
    codes.push(...answers.map(({ body }) => body.data.createMetaEnvelope.errors[0]?.code ?? "written"));
  }
  assert.equal(codes.filter((code) => code === "written").length, 320);
});

test("the limits are settings: production defaults where nothing is set, 0 for none, and a fault tells [V-LIM-007] [V-DEC-740]", () => {
  const secret = "0123456789abcdefghijklmnopqrstuv";
  const places = { DS_REGISTRY_URL: "http://127.0.0.1:1", DS_VAULT_URL: "http://127.0.0.1:2", DS_DATA_DIR: "/data" };
  const awareness = { DS_AWARENESS_URL: "http://127.0.0.1:2", DS_INGEST_SECRET: secret };
  const env = { ...places, ...awareness, REGISTRY_SHARED_SECRET: secret, DS_SECRET: secret };
  const quotas = {
    recordsPerOwner: 2_000_000,
    bytesPerOwner: 10_737_418_240,
    guestRecordsPerOwner: 10_000,
    guestBytesPerOwner: 104_857_600,
  };
  const production = { perAddress: 3_000, perCaller: 600, anonymous: 60, ...quotas };
  assert.deepEqual(envToVaultConfig({ ...env, NODE_ENV: "production" }).limits, production);
  assert.deepEqual(envToVaultConfig({ ...env, DS_HOST: "127.0.0.1" }).limits, production);
  assert.equal(envToVaultConfig({ ...env, DS_QUOTA_RECORDS: "0" }).limits.recordsPerOwner, 0);
  assert.throws(
    () => envToVaultConfig({ ...env, DS_RATE_LIMIT_PER_CALLER: "-1", DS_QUOTA_RECORDS: "many" }),
    (error) => error instanceof StartupError && /PER_CALLER.*QUOTA_RECORDS/s.test(error.message),
  );
});
