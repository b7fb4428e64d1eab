import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { parseEName } from "@dataspace/protocol/ename";
import { ONTOLOGY_ID } from "@dataspace/protocol/ontology-id";
import { systemClock } from "@dataspace/service-kit/clock";
import { issueWalletToken } from "@dataspace/wallet/issue-wallet-token";
import { createWalletKey } from "@dataspace/wallet/wallet-key";
import { askGraphQL } from "./support/ask.ts";
import { create, DOCUMENTS, refusalOf } from "./support/operations.ts";
import { platformSession } from "./support/people.ts";
import { startVault, type TestVault } from "./support/start-vault.ts";

const BULK = `mutation ($inputs: [BulkMetaEnvelopeInput!]!, $skipWebhooks: Boolean) {
  bulkCreateMetaEnvelopes(inputs: $inputs, skipWebhooks: $skipWebhooks) {
    results { id success error } successCount errorCount errors { message code field } } }`;

const asPlatform = (vault: TestVault) => {
  const iat = Math.floor(Date.now() / 1000);
  return { authorization: `Bearer ${vault.signAsRegistry({ platform: "https://p.example", iat, exp: iat + 60 })}` };
};

async function bulk(vault: TestVault, owner: string, inputs: readonly object[], more: object = {}) {
  const answer = await askGraphQL(vault, owner, BULK, { inputs, ...more }, asPlatform(vault));
  return answer.body.data.bulkCreateMetaEnvelopes;
}

async function count(vault: TestVault, table: string): Promise<number> {
  const { rows } = await vault.database.query<{ n: number }>({
    text: `select count(*) as n from ${table}`,
    values: [],
  });
  return rows[0]!.n;
}

test("a bulk creates each item with its version, log entry, event, lane and count, and keeps preset ids [V-STATE-004] [V-MUT-010] [V-MUT-011] [V-MUT-012] [V-MUT-013] [V-DEC-422]", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  const inputs = Array.from({ length: 250 }, (_, n) => ({
    ontology: `o${n % 3}`,
    payload: { n },
    acl: n % 2 ? ["*"] : null,
  }));
  const result = await bulk(vault, owner, [{ id: "preset:1@x", ontology: "o0", payload: { preset: true } }, ...inputs]);
  assert.deepEqual([result.successCount, result.errorCount, result.errors], [251, 0, []]);
  assert.equal(result.results[0].id, "preset:1@x");
  for (const table of ["meta_envelope", "change", "change_event", "outbox_lane"])
    assert.equal(await count(vault, table), 251, table);
  const list = await askGraphQL(vault, owner, DOCUMENTS.list, { filter: { ontologyId: "o1" }, first: 100 });
  assert.equal(list.body.data.metaEnvelopes.totalCount, 83);
  assert.deepEqual(list.body.data.metaEnvelopes.edges[0].node.parsed, { n: 1 });
  const ids = result.results.map((item: { id: string }) => item.id);
  const { rows } = await vault.database.query<{ id: string }>({
    text: "select id from meta_envelope order by ord",
    values: [],
  });
  assert.deepEqual(
    rows.map((row) => row.id),
    ids,
  );
});

test("items that are refused leave the others alone, each with its code first in its error [V-MUT-014] [V-ERR-013] [V-DEC-420] [V-DEC-421] [V-DEC-425] [V-DEC-427] [T-13]", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  const active = await create(vault, owner, { payload: { stored: true } });
  const removed = await create(vault, owner, { payload: {} });
  await askGraphQL(vault, owner, DOCUMENTS.remove, { id: removed });
  const item = (more: object) => ({ ontology: "o", payload: { a: 1 }, ...more });
  const { results, successCount, errorCount } = await bulk(vault, owner, [
    item({ id: active }),
    item({ id: removed }),
    item({ id: "new" }),
    item({ id: "new" }),
    item({ id: "no/slash" }),
    item({ id: "x".repeat(129) }),
    item({ payload: [1] }),
    item({ payload: { a: "\u0000" } }),
    item({ acl: ["bob"] }),
    item({}),
    item({ ontology: "b1d0a8c3-4e5f-6789-0abc-def012345678" }),
  ]);
  const codes = results.map(({ error }: { error: string | null }) => error?.split(":")[0] ?? "created");
  assert.deepEqual(codes, [
    "ID_EXISTS",
    "ID_EXISTS",
    "created",
    "ID_EXISTS",
    "INVALID_ID",
    "INVALID_ID",
    "BAD_USER_INPUT",
    "INVALID_TEXT",
    "INVALID_ACL",
    "created",
    "USE_BINDING_DOCUMENT_MUTATION",
  ]);
  assert.deepEqual([successCount, errorCount], [2, 9]);
  const read = await askGraphQL(vault, owner, DOCUMENTS.read, { id: active });
  assert.deepEqual(read.body.data.metaEnvelope.parsed, { stored: true });
});

test("a bulk needs a bearer token, also in header mode; over 1,000 items it writes nothing [V-MUT-015] [V-AUTH-005] [V-DEC-146] [V-DEC-423] [T-12]", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  const inputs = [{ ontology: "o", payload: {} }];
  assert.equal(refusalOf(await askGraphQL(vault, owner, BULK, { inputs })).code, "UNAUTHENTICATED");
  const many = Array.from({ length: 1_001 }, () => inputs[0]!);
  const { errors, results } = await bulk(vault, owner, many);
  assert.deepEqual([errors[0].code, results, await count(vault, "change")], ["BULK_TOO_LARGE", [], 0]);
});

test("a caller who may not create gets FORBIDDEN for each item [V-DEC-426]", async () => {
  await using vault = await startVault({ legacyTokens: "read-only" });
  const { results } = await bulk(vault, await vault.createOwner(), [{ ontology: "o", payload: {} }]);
  assert.match(results[0].error, /^FORBIDDEN: /);
});

test("skipWebhooks from a platform that only asserts its name is ignored [V-DLV-010] [V-DLV-011] [V-DEC-424]", async () => {
  await using vault = await startVault();
  await bulk(vault, await vault.createOwner(), [{ ontology: "o", payload: {} }], { skipWebhooks: true });
  assert.equal(await count(vault, "change_event"), 1);
  assert.equal(await count(vault, "change where suppressed"), 0);
  assert.equal(await count(vault, "outbox_lane where next_at <= now()"), 1);
});

test("skipWebhooks of a platform that migrates and has proven itself suppresses the events; later writes have theirs [V-DEC-424]", async () => {
  const platform = parseEName(randomUUID());
  await using vault = await startVault({ migrationPlatforms: new Set([platform]) });
  const owner = await vault.createOwner();
  const variables = {
    inputs: [{ id: "r1", ontology: ONTOLOGY_ID.SocialMediaPost, payload: { text: "a" } }],
    skipWebhooks: true,
  };
  const send = (headers: Readonly<Record<string, string>>) => askGraphQL(vault, owner, BULK, variables, headers);
  const [events, suppressed] = ["change_event", "change where suppressed"];
  const migrated = await send(platformSession(vault, owner, { platform }));
  assert.equal(migrated.body.data.bulkCreateMetaEnvelopes.successCount, 1);
  assert.deepEqual([await count(vault, events), await count(vault, suppressed)], [0, 1]);
  assert.equal(await count(vault, "outbox_lane"), 0);
  const stranger = { ...variables.inputs[0], id: "r2" };
  await askGraphQL(vault, owner, BULK, { inputs: [stranger], skipWebhooks: true }, platformSession(vault, owner));
  await askGraphQL(
    vault,
    owner,
    BULK,
    { inputs: [{ ...stranger, id: "r3" }] },
    platformSession(vault, owner, { platform }),
  );
  assert.deepEqual([await count(vault, events), await count(vault, suppressed)], [2, 1]);
  await askGraphQL(vault, owner, DOCUMENTS.update, {
    id: "r1",
    input: { ontology: ONTOLOGY_ID.SocialMediaPost, payload: { text: "b" } },
  });
  assert.equal(await count(vault, "change_event where stream_id = 'r1' and stream_version = 2"), 1);
});

test("a platform token is accepted only if it was issued before DS_LEGACY_ISSUED_BEFORE [decision I7]", async () => {
  const nowSeconds = Math.floor(Date.now() / 1000);
  await using vault = await startVault({ legacyIssuedBeforeMs: (nowSeconds - 100) * 1000 });
  const owner = await vault.createOwner();
  const statusWith = async (times: object) => {
    const token = vault.signAsRegistry({ platform: "https://p.example", exp: nowSeconds + 60, ...times });
    const inputs = [{ ontology: "o", payload: {} }];
    return (await askGraphQL(vault, owner, BULK, { inputs }, { authorization: `Bearer ${token}` })).status;
  };
  assert.equal(await statusWith({ iat: nowSeconds - 101 }), 200);
  for (const iat of [nowSeconds - 100, nowSeconds, undefined]) assert.equal(await statusWith({ iat }), 401);
});

test("a bulk is one writing request of a wallet token [V-DEC-235] [V-DEC-238]", async () => {
  await using vault = await startVault({ auth: "enforced" });
  const key = await createWalletKey();
  const owner = await vault.createOwner(key.publicKey);
  const authorization = `Bearer ${await issueWalletToken({ key, clock: systemClock }, { ename: owner, audience: owner })}`;
  const inputs = Array.from({ length: 150 }, (_, n) => ({ ontology: "o", payload: { n } }));
  const first = await askGraphQL(vault, owner, BULK, { inputs }, { authorization });
  assert.equal(first.body.data.bulkCreateMetaEnvelopes.successCount, 150);
  assert.equal(refusalOf(await askGraphQL(vault, owner, BULK, { inputs }, { authorization })).code, "TOKEN_SPENT");
  assert.equal(await count(vault, "meta_envelope"), 150);
});

test("the same id in two owners' vaults is two records, and 16 bulks at once write it once each [V-DEC-428] [V-ME-002] [T-13]", async () => {
  await using vault = await startVault();
  const owners = [await vault.createOwner(), await vault.createOwner()];
  const inputs = [{ id: "same", ontology: "o", payload: {} }];
  for (const owner of owners) {
    const outcomes = await Promise.all(Array.from({ length: 16 }, () => bulk(vault, owner, inputs)));
    assert.equal(
      outcomes.reduce((sum, { successCount }) => sum + successCount, 0),
      1,
    );
  }
  assert.deepEqual([await count(vault, "meta_envelope"), await count(vault, "change_event")], [2, 2]);
});
