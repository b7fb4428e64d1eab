import assert from "node:assert/strict";
import { test } from "node:test";
import { systemClock } from "@dataspace/service-kit/clock";
import { issueWalletToken } from "@dataspace/wallet/issue-wallet-token";
import { createWalletKey } from "@dataspace/wallet/wallet-key";
import { ask, askGraphQL } from "./support/ask.ts";
import { DOCUMENTS, errorCodeOf } from "./support/operations.ts";
import { startVault, type TestVault } from "./support/start-vault.ts";

const STORE =
  "mutation ($input: MetaEnvelopeInput!) { storeMetaEnvelope(input: $input) { metaEnvelope { id parsed } } }";
const INPUT = { input: { ontology: "o", payload: { a: 1 }, acl: ["*"] } };

async function startWithOwner(anonymousStore: "quarantine" | "allow" | "deny") {
  const vault = await startVault({ auth: "enforced", anonymousStore });
  const key = await createWalletKey();
  const owner = await vault.createOwner(key.publicKey);
  const asOwner = async () => ({
    authorization: `Bearer ${await issueWalletToken({ key, clock: systemClock }, { ename: owner, audience: owner })}`,
  });
  return { vault, owner, asOwner };
}

const asPlatform = (vault: TestVault) => {
  const iat = Math.floor(Date.now() / 1000);
  return { authorization: `Bearer ${vault.signAsRegistry({ platform: "https://p.example", iat, exp: iat + 60 })}` };
};

async function events(vault: TestVault) {
  const { rows } = await vault.database.query<{ body: string }>({
    text: "select body from change_event order by stream_version",
    values: [],
  });
  return rows
    .map((row) => JSON.parse(row.body))
    .map(({ operation, streamVersion, data }) => ({ operation, streamVersion, data }));
}

test("what an anonymous caller stores is the owner's alone and emits nothing, with platform and author null [V-AUTH-007] [V-DEC-484] [decision I3] [V-DEC-164] [V-DEC-166] [V-DEC-167]", async () => {
  const { vault, owner, asOwner } = await startWithOwner("quarantine");
  await using _ = vault;
  const { body } = await askGraphQL(vault, owner, STORE, INPUT, { "x-on-behalf-of": owner });
  const { id } = body.data.storeMetaEnvelope.metaEnvelope;
  const reading = { ...(await asOwner()) };
  assert.equal((await askGraphQL(vault, owner, DOCUMENTS.read, { id }, reading)).body.data.metaEnvelope.id, id);
  assert.equal((await askGraphQL(vault, owner, DOCUMENTS.list, {}, reading)).body.data.metaEnvelopes.totalCount, 1);
  const platform = asPlatform(vault);
  assert.equal((await askGraphQL(vault, owner, DOCUMENTS.read, { id }, platform)).body.data.metaEnvelope, null);
  assert.equal((await askGraphQL(vault, owner, DOCUMENTS.list, {}, platform)).body.data.metaEnvelopes.totalCount, 0);
  assert.deepEqual((await ask(vault, "/logs", { headers: { "x-ename": owner, ...platform } })).body.logs, []);
  const history = await askGraphQL(vault, owner, DOCUMENTS.history, { id }, reading);
  const { author, requestingPlatform } = history.body.data.metaEnvelopeHistory.edges[0].node;
  assert.deepEqual([author, requestingPlatform, await events(vault)], [null, null, []]);
});

test("the owner's first write lets it go and emits the whole record as create [V-DEC-485] [V-DEC-167]", async () => {
  const { vault, owner, asOwner } = await startWithOwner("quarantine");
  await using _ = vault;
  const { id } = (await askGraphQL(vault, owner, STORE, INPUT)).body.data.storeMetaEnvelope.metaEnvelope;
  await askGraphQL(
    vault,
    owner,
    DOCUMENTS.update,
    { id, input: { ontology: "o", payload: { b: 2 } } },
    await asOwner(),
  );
  assert.deepEqual(await events(vault), [{ operation: "create", streamVersion: 2, data: { a: 1, b: 2 } }]);
  assert.equal(
    (await askGraphQL(vault, owner, DOCUMENTS.read, { id }, asPlatform(vault))).body.data.metaEnvelope.id,
    id,
  );
});

test("a removal as the owner's first write emits nothing [V-DEC-486]", async () => {
  const { vault, owner, asOwner } = await startWithOwner("quarantine");
  await using _ = vault;
  const { id } = (await askGraphQL(vault, owner, STORE, INPUT)).body.data.storeMetaEnvelope.metaEnvelope;
  await askGraphQL(vault, owner, DOCUMENTS.remove, { id }, await asOwner());
  assert.deepEqual(await events(vault), []);
});

test("binding documents and access policies are not stored by strangers: UNAUTHENTICATED [decision I3] [V-DEC-162] [V-DEC-163]", async () => {
  const { vault, owner } = await startWithOwner("allow");
  await using _ = vault;
  for (const ontology of ["b1d0a8c3-4e5f-6789-0abc-def012345678", "c7a41f6d-95b8-4e2a-9c33-8f0d1b6e4a72"]) {
    assert.equal(
      errorCodeOf(await askGraphQL(vault, owner, STORE, { input: { ontology, payload: {} } })),
      "UNAUTHENTICATED",
    );
  }
});

test("DS_ANONYMOUS_STORE=deny refuses, allow stores for all to see [decision I3] [V-DEC-168] [V-DEC-169]", async () => {
  const denying = await startWithOwner("deny");
  await using _ = denying.vault;
  assert.equal(errorCodeOf(await askGraphQL(denying.vault, denying.owner, STORE, INPUT)), "UNAUTHENTICATED");
  const { vault, owner } = await startWithOwner("allow");
  await using __ = vault;
  const { id } = (await askGraphQL(vault, owner, STORE, INPUT)).body.data.storeMetaEnvelope.metaEnvelope;
  assert.equal(
    (await askGraphQL(vault, owner, DOCUMENTS.read, { id }, asPlatform(vault))).body.data.metaEnvelope.id,
    id,
  );
  assert.deepEqual(await events(vault), [{ operation: "create", streamVersion: 1, data: { a: 1 } }]);
});
