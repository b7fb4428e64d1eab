import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { systemClock } from "@dataspace/service-kit/clock";
import { issueWalletToken } from "@dataspace/wallet/issue-wallet-token";
import { createWalletKey } from "@dataspace/wallet/wallet-key";
import type { Database } from "@dataspace/service-kit/postgres/database";
import type { VaultLimits } from "../src/server.ts";
import { type Answer, askGraphQL } from "./support/ask.ts";
import { sendUpload } from "./support/file-requests.ts";
import { create, DOCUMENTS } from "./support/operations.ts";
import { platformSession } from "./support/people.ts";
import { NO_LIMITS, startVault, type TestVault } from "./support/start-vault.ts";

const STORE = `mutation ($input: MetaEnvelopeInput!) {
  storeMetaEnvelope(input: $input) { metaEnvelope { id } } }`;
const BULK = `mutation ($inputs: [BulkMetaEnvelopeInput!]!) {
  bulkCreateMetaEnvelopes(inputs: $inputs) { results { id error } } }`;
const VERSION_BYTES = 512;
const note = (payload: object = {}) => ({ input: { ontology: "note", payload, acl: ["*"] } });

async function startWithOwner(limits: Partial<VaultLimits>) {
  const vault = await startVault({ auth: "enforced", limits: { ...NO_LIMITS, ...limits } });
  const key = await createWalletKey();
  const owner = await vault.createOwner(key.publicKey);
  const asOwner = async () => ({
    authorization: `Bearer ${await issueWalletToken({ key, clock: systemClock }, { ename: owner, audience: owner })}`,
  });
  const asPlatform = () => {
    const iat = Math.floor(Date.now() / 1000);
    return { authorization: `Bearer ${vault.signAsRegistry({ platform: "https://p.example", iat, exp: iat + 60 })}` };
  };
  return { vault, owner, asOwner, asPlatform };
}

/** The code of an answer's only mutation, however the operation says it; `ok` where it was written. */
function codeOf({ body }: Answer): string {
  const payload = Object.values((body.data ?? {}) as Record<string, { errors?: { code: string }[] } | null>)[0];
  return body.errors?.[0]?.extensions?.code ?? payload?.errors?.[0]?.code ?? "ok";
}

/** What the counters say, and what they should by the rows; the bytes of a version are its payload's and 512. */
async function readCounters({ database }: Pick<TestVault, "database">): Promise<readonly unknown[]> {
  const { rows } = await database.query<Record<string, unknown>>({
    text: `select (select json_build_array(sum(guest_n), sum(bytes) + sum(guest_bytes)) from record_count) as counted,
      json_build_array((select count(*) from meta_envelope where guest and not removed),
        (select sum(octet_length(coalesce(payload, '')) + ${VERSION_BYTES}) from change)) as there`,
    values: [],
  });
  return [rows[0]?.["counted"], rows[0]?.["there"]];
}

async function assertCountersAreRight(vault: Pick<TestVault, "database">): Promise<void> {
  const [counted, there] = await readCounters(vault);
  assert.deepEqual(counted, there);
}

test("strangers fill their own quota of records and never the owner's: legacy tokens, bulks and anonymous stores [decision V21]", async () => {
  const limits = { recordsPerOwner: 4, guestRecordsPerOwner: 3 };
  const { vault, owner, asOwner, asPlatform } = await startWithOwner(limits);
  await using _ = vault;
  assert.equal(codeOf(await askGraphQL(vault, owner, DOCUMENTS.create, note(), asPlatform())), "ok");
  const stored = await askGraphQL(vault, owner, STORE, note());
  const { id } = stored.body.data.storeMetaEnvelope.metaEnvelope;
  const inputs = ["a", "b"].map((name) => ({ id: name, ontology: "note", payload: {} }));
  const { body } = await askGraphQL(vault, owner, BULK, { inputs }, asPlatform());
  const [first, second] = body.data.bulkCreateMetaEnvelopes.results;
  assert.equal(first.error, null);
  assert.match(second.error, /^QUOTA_EXCEEDED: /);
  assert.equal(codeOf(await askGraphQL(vault, owner, DOCUMENTS.create, note(), asPlatform())), "QUOTA_EXCEEDED");
  assert.equal(codeOf(await askGraphQL(vault, owner, STORE, note())), "QUOTA_EXCEEDED");
  for (const _each of [1, 2, 3]) {
    assert.equal(codeOf(await askGraphQL(vault, owner, DOCUMENTS.create, note(), await asOwner())), "ok");
  }
  // What the owner writes becomes the owner's and frees the guests' quota; at the owner's own limit that is refused
  // too.
  const touched = await askGraphQL(vault, owner, DOCUMENTS.update, { id, ...note({ a: 1 }) }, await asOwner());
  assert.equal(codeOf(touched), "ok");
  assert.equal(codeOf(await askGraphQL(vault, owner, STORE, note())), "ok");
  const more = await askGraphQL(vault, owner, DOCUMENTS.update, { id: "a", ...note() }, await asOwner());
  assert.equal(codeOf(more), "QUOTA_EXCEEDED");
  assert.equal(codeOf(await askGraphQL(vault, owner, DOCUMENTS.remove, { id: "a" }, await asOwner())), "ok");
  assert.equal(codeOf(await askGraphQL(vault, owner, DOCUMENTS.create, note(), asPlatform())), "ok");
  await assertCountersAreRight(vault);
});

test("what a platform session stores outside its certificate's domains fills the quota of guests [decision V21]", async () => {
  const { vault, owner, asOwner } = await startWithOwner({ recordsPerOwner: 1, guestRecordsPerOwner: 1 });
  await using _ = vault;
  const session = platformSession(vault, owner, { domains: ["social"] });
  assert.equal(codeOf(await askGraphQL(vault, owner, STORE, note(), session)), "ok");
  assert.equal(codeOf(await askGraphQL(vault, owner, STORE, note(), session)), "QUOTA_EXCEEDED");
  assert.equal(codeOf(await askGraphQL(vault, owner, DOCUMENTS.create, note(), await asOwner())), "ok");
  await assertCountersAreRight(vault);
});

test("a legacy token that revives the owner's removed records fills the quota of guests [decision V21]", async () => {
  const { vault, owner, asOwner, asPlatform } = await startWithOwner({ recordsPerOwner: 1, guestRecordsPerOwner: 1 });
  await using _ = vault;
  const revive = `mutation ($id: ID!) { rollbackMetaEnvelope(id: $id, version: 1) { version errors { code field message } } }`;
  const ids: string[] = [];
  for (const _each of [1, 2]) {
    const { body } = await askGraphQL(vault, owner, DOCUMENTS.create, note(), await asOwner());
    const { id } = body.data.createMetaEnvelope.metaEnvelope;
    ids.push(id);
    await askGraphQL(vault, owner, DOCUMENTS.remove, { id }, await asOwner());
  }
  assert.equal(codeOf(await askGraphQL(vault, owner, revive, { id: ids[0] }, asPlatform())), "ok");
  assert.equal(codeOf(await askGraphQL(vault, owner, revive, { id: ids[1] }, asPlatform())), "QUOTA_EXCEEDED");
  assert.equal(codeOf(await askGraphQL(vault, owner, DOCUMENTS.create, note(), await asOwner())), "ok");
  await assertCountersAreRight(vault);
});

test("files, creates and patches of a legacy token fill the bytes of guests, and the owner still writes [decision V21]", async () => {
  const { vault, owner, asOwner, asPlatform } = await startWithOwner({
    bytesPerOwner: 20_000,
    guestBytesPerOwner: 20_000,
  });
  await using _ = vault;
  const { body } = await askGraphQL(vault, owner, DOCUMENTS.create, note({ text: "mine" }), await asOwner());
  const { id } = body.data.createMetaEnvelope.metaEnvelope;
  const content = Buffer.alloc(9_000, "x").toString("base64");
  assert.equal(codeOf(await sendUpload(vault, owner, { content }, asPlatform())), "ok");
  assert.equal(
    codeOf(await askGraphQL(vault, owner, DOCUMENTS.create, note({ text: "x".repeat(9_000) }), asPlatform())),
    "ok",
  );
  assert.equal(codeOf(await sendUpload(vault, owner, { content }, asPlatform())), "QUOTA_EXCEEDED");
  const patch = { id, ...note({ text: "y".repeat(2_000) }) };
  assert.equal(codeOf(await askGraphQL(vault, owner, DOCUMENTS.update, patch, asPlatform())), "QUOTA_EXCEEDED");
  assert.equal(codeOf(await askGraphQL(vault, owner, DOCUMENTS.update, patch, await asOwner())), "ok");
  assert.equal(codeOf(await sendUpload(vault, owner, { content }, await asOwner())), "ok");
  await assertCountersAreRight(vault);
});

test("5,000 empty patches of one record are refused once their versions fill the quota, whoever sends them [decision V21]", async () => {
  const bytes = 1_048_576;
  const { vault, owner, asPlatform } = await startWithOwner({ bytesPerOwner: bytes, guestBytesPerOwner: bytes });
  await using _ = vault;
  const created = await askGraphQL(vault, owner, DOCUMENTS.create, note({ text: "x".repeat(4_000) }), asPlatform());
  const { id } = created.body.data.createMetaEnvelope.metaEnvelope;
  const patch = Array.from(
    { length: 10 },
    (_each, n) => `p${n}: updateMetaEnvelope(id: $id, input: $input) { errors { code } }`,
  );
  const document = `mutation ($id: ID!, $input: MetaEnvelopeInput!) { ${patch.join(" ")} }`;
  const input = { ontology: "note", payload: {} };
  let written = 0;
  for (let sent = 0; sent < 5_000; sent += 10) {
    const { body } = await askGraphQL(vault, owner, document, { id, input }, asPlatform());
    const codes = Object.values(body.data as Record<string, { errors: { code: string }[] }>).map(
      ({ errors }) => errors[0]?.code,
    );
    written += codes.filter((code) => code === undefined).length;
    if (codes.includes("QUOTA_EXCEEDED")) break;
  }
  const versionBytes = Buffer.byteLength(JSON.stringify({ text: "x".repeat(4_000) })) + VERSION_BYTES;
  assert.equal(written, Math.floor(bytes / versionBytes) - 1);
  await assertCountersAreRight(vault);
});

test("the owner's history counts: a full owner is refused updates and files, and reads and removes all the same [decision V21]", async () => {
  await using vault = await startVault({ limits: { ...NO_LIMITS, bytesPerOwner: 12_000 } });
  const owner = await vault.createOwner();
  const id = await create(vault, owner, { payload: { text: "x".repeat(3_000) } });
  const update = () => askGraphQL(vault, owner, DOCUMENTS.update, { id, ...note({ n: 1 }) });
  const codes = [await update(), await update(), await update()].map(codeOf);
  assert.deepEqual(codes, ["ok", "ok", "QUOTA_EXCEEDED"]);
  const content = Buffer.alloc(9_000, "x").toString("base64");
  assert.equal(codeOf(await sendUpload(vault, owner, { content })), "QUOTA_EXCEEDED");
  assert.equal((await askGraphQL(vault, owner, DOCUMENTS.read, { id })).body.data.metaEnvelope.id, id);
  await askGraphQL(vault, owner, DOCUMENTS.remove, { id });
  assert.equal((await askGraphQL(vault, owner, DOCUMENTS.read, { id })).body.data.metaEnvelope, null);
  assert.equal(
    codeOf(await askGraphQL(vault, owner, DOCUMENTS.create, note({ text: "x".repeat(3_000) }))),
    "QUOTA_EXCEEDED",
  );
  await assertCountersAreRight(vault);
});

test("an owner at the quota still replaces a policy, and nothing else with it [decision V22]", async () => {
  const { vault, owner, asOwner } = await startWithOwner({ bytesPerOwner: 4_000 });
  await using _ = vault;
  const { body } = await askGraphQL(vault, owner, DOCUMENTS.create, note({ text: "x".repeat(3_000) }), await asOwner());
  const { id } = body.data.createMetaEnvelope.metaEnvelope;
  const update = async (input: object) =>
    codeOf(await askGraphQL(vault, owner, DOCUMENTS.update, { id, input }, await asOwner()));
  const _acl = { v: 1, grants: [{ ename: owner, perms: 15 }] };
  assert.equal(await update({ ontology: "note", payload: { n: 1 }, _acl }), "QUOTA_EXCEEDED");
  assert.equal(await update({ ontology: "note", payload: {}, _acl }), "ok");
  assert.equal(await update({ ontology: "note", payload: {} }), "QUOTA_EXCEEDED");
  await assertCountersAreRight(vault);
});

test("far below the quotas the room is counted once, and neither a create nor an update takes a transaction [decision V21]", async () => {
  const limits = { ...NO_LIMITS, recordsPerOwner: 2_000_000, bytesPerOwner: 10_737_418_240 };
  const seen: string[] = [];
  const seenAs = (database: Database): Database => ({
    ...database,
    query: (statement) => {
      seen.push(statement.name ?? statement.text);
      return database.query(statement);
    },
    transaction: (work) => {
      seen.push("transaction");
      return database.transaction(work);
    },
  });
  await using vault = await startVault({ limits }, { seenAs });
  const owner = await vault.createOwner();
  seen.length = 0;
  const id = await create(vault, owner, { payload: {} });
  for (let n = 0; n < 20; n += 1) await askGraphQL(vault, owner, DOCUMENTS.update, { id, ...note({ n }) });
  assert.equal(seen.filter((name) => name.startsWith("quota:")).length, 1);
  assert.equal(seen.filter((name) => name.startsWith("change:")).length, 21);
  assert.ok(!seen.includes("transaction"), seen.join());
});

test("twenty writes at once near the bound in bytes never exceed it: creates, updates of one record and uploads, with and without a key [decision V21]", async () => {
  const bytesPerOwner = 20_000;
  await using vault = await startVault({ limits: { ...NO_LIMITS, bytesPerOwner } });
  await using second = await startVault({ limits: { ...NO_LIMITS, bytesPerOwner } }, { database: vault.database });
  const owner = await vault.createOwner();
  const text = "x".repeat(1_000);
  const id = await create(vault, owner, { payload: { text } });
  const content = Buffer.alloc(1_000, "x").toString("base64");
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) => {
      const at = n % 2 === 0 ? vault : second;
      const headers = n % 4 < 2 ? {} : { "idempotency-key": `k-${n}` };
      if (n % 3 === 0) return askGraphQL(at, owner, DOCUMENTS.create, note({ text }), headers);
      if (n % 3 === 1) return askGraphQL(at, owner, DOCUMENTS.update, { id, ...note({ text }) }, headers);
      return sendUpload(vault, owner, { content }, headers);
    }),
  );
  const codes = answers.map(codeOf);
  assert.ok(codes.includes("QUOTA_EXCEEDED"), codes.join());
  assert.deepEqual(new Set(codes), new Set(["ok", "QUOTA_EXCEEDED"]));
  const { rows } = await vault.database.query<{ bytes: number }>({
    text: `select ((select sum(bytes) from record_count) + (select used_bytes from file_usage))::bigint as bytes`,
    values: [],
  });
  assert.ok((rows[0]?.bytes ?? 0) <= bytesPerOwner, JSON.stringify(rows));
  assert.ok((rows[0]?.bytes ?? 0) > bytesPerOwner - 3_000, JSON.stringify(rows));
  await assertCountersAreRight(vault);
});

/** Deletes the counters of bytes and guests and computes them again, as the migration does. */
async function migrateAnew({ database }: TestVault): Promise<void> {
  const text = await readFile(new URL("../src/store/migrations/014-quotas.sql", import.meta.url), "utf8");
  const undo = `alter table record_count drop column guest_n, drop column bytes, drop column guest_bytes;
    alter table meta_envelope drop column guest; alter table stored_file drop column guest;
    alter table file_usage drop column guest_bytes`;
  await database.transaction(async (transaction) => {
    await transaction.query({ text: undo, values: [] });
    await transaction.query({ text, values: [] });
  });
}

test("records from before the quota in bytes count: quarantined ones as guests', all others as the owner's [decision V21]", async () => {
  const { vault, owner, asOwner, asPlatform } = await startWithOwner({ recordsPerOwner: 4, guestRecordsPerOwner: 2 });
  await using _ = vault;
  const { body } = await askGraphQL(vault, owner, DOCUMENTS.create, note({ text: "ü".repeat(500) }), asPlatform());
  const { id } = body.data.createMetaEnvelope.metaEnvelope;
  await askGraphQL(vault, owner, DOCUMENTS.update, { id, ...note({ n: 1 }) }, await asOwner());
  await askGraphQL(vault, owner, DOCUMENTS.remove, { id }, await asOwner());
  for (const _each of [1, 2]) assert.equal(codeOf(await askGraphQL(vault, owner, STORE, note())), "ok");
  await migrateAnew(vault);
  await assertCountersAreRight(vault);
  const { rows } = await vault.database.query({
    text: "select sum(guest_n)::int as records, sum(guest_bytes)::int as bytes from record_count",
    values: [],
  });
  assert.deepEqual(rows, [{ records: 2, bytes: 2 * (2 + VERSION_BYTES) }]);
  assert.equal(codeOf(await askGraphQL(vault, owner, STORE, note())), "QUOTA_EXCEEDED");
});

test("a keyed request and single updates of the record that it updates last never deadlock on a counter [decision V21]", async (t) => {
  t.mock.method(Math, "random", () => 0);
  await using vault = await startVault();
  const owner = await vault.createOwner();
  const [first, last] = [await create(vault, owner, { payload: {} }), await create(vault, owner, { payload: {} })];
  const creates = Array.from(
    { length: 8 },
    (_each, n) => `c${n}: createMetaEnvelope(input: $input) { errors { code } }`,
  );
  const update = (name: string) => `${name}: updateMetaEnvelope(id: $${name}, input: $input) { errors { code } }`;
  const document = `mutation ($first: ID!, $last: ID!, $input: MetaEnvelopeInput!) {
    ${[update("first"), ...creates, update("last")].join(" ")} }`;
  const input = { ontology: "note", payload: { n: 1 } };
  const keyed = askGraphQL(vault, owner, document, { first, last, input }, { "idempotency-key": "one" });
  const singles: Answer[] = [];
  let isDone = false;
  void keyed.then(() => {
    isDone = true;
  });
  while (!isDone) singles.push(await askGraphQL(vault, owner, DOCUMENTS.update, { id: last, input }));
  const errors = Object.values((await keyed).body.data as Record<string, { errors: object[] }>).map(
    (one) => one.errors,
  );
  assert.deepEqual(errors, Array(10).fill([]));
  assert.deepEqual(new Set(singles.map(codeOf)), new Set(["ok"]));
});

test("platforms fill the owner's quota of a vault that never had a key, and strangers still the one of guests [decisions V12, V21]", async () => {
  const limits = { recordsPerOwner: 3, guestRecordsPerOwner: 1 };
  const { vault, asPlatform } = await startWithOwner(limits);
  await using _ = vault;
  const group = await vault.createOwner();
  for (const _each of [1, 2, 3])
    assert.equal(codeOf(await askGraphQL(vault, group, DOCUMENTS.create, note(), asPlatform())), "ok");
  assert.equal(codeOf(await askGraphQL(vault, group, DOCUMENTS.create, note(), asPlatform())), "QUOTA_EXCEEDED");
  await vault.database.query({ text: "update vault set created_at = created_at - interval '1 hour'", values: [] });
  assert.equal(codeOf(await askGraphQL(vault, group, STORE, note())), "ok");
  assert.equal(codeOf(await askGraphQL(vault, group, STORE, note())), "QUOTA_EXCEEDED");
  await assertCountersAreRight(vault);
});
