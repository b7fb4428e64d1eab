import assert from "node:assert/strict";
import { test } from "node:test";
import { createRegistryClient } from "@dataspace/clients/registry-client";
import { issueWalletToken } from "@dataspace/wallet/issue-wallet-token";
import { createWalletKey, type WalletKey } from "@dataspace/wallet/wallet-key";
import { createOwner } from "../create-owner.ts";
import { askGraphQL, create } from "./support/ask.ts";
import { startTestSpace } from "./support/start-test-space.ts";

const clock = { nowMs: () => Date.now() };
const NOTE = { ontology: "note-v1", payload: { text: "I was here." } };
const LIST = "{ metaEnvelopes { totalCount edges { node { parsed } } } }";

function issue(key: WalletKey, ename: Awaited<ReturnType<typeof createOwner>>): Promise<string> {
  return issueWalletToken({ key, clock }, { ename, audience: ename });
}

test("with DS_VAULT_AUTH=enforced a wallet token reads any number of times and writes once (decision I6)", async () => {
  await using space = await startTestSpace({ DS_VAULT_AUTH: "enforced" });
  const key = await createWalletKey();
  const owner = await createOwner(space, key.publicKey);
  const token = await issue(key, owner);

  const written = await create(space, { owner, token }, NOTE);
  assert.deepEqual(written.metaEnvelope?.parsed, NOTE.payload);
  for (let time = 0; time < 2; time++) {
    const { data } = await askGraphQL(space, { owner, token }, { query: LIST });
    assert.deepEqual(data, { metaEnvelopes: { totalCount: 1, edges: [{ node: { parsed: NOTE.payload } }] } });
  }
  const again = await create(space, { owner, token }, NOTE);
  assert.deepEqual([again.metaEnvelope, again.errors], [null, [{ code: "TOKEN_SPENT" }]]);
  const fresh = await create(space, { owner, token: await issue(key, owner) }, NOTE);
  assert.deepEqual(fresh.metaEnvelope?.parsed, NOTE.payload);
});

test("with DS_VAULT_AUTH=enforced nobody reads or writes without a token, nor with another key's (decisions I2, I4)", async () => {
  await using space = await startTestSpace({ DS_VAULT_AUTH: "enforced" });
  const owner = await createOwner(space, (await createWalletKey()).publicKey);

  const { errors } = await askGraphQL(space, { owner }, { query: LIST });
  assert.deepEqual(
    errors?.map(({ extensions }) => extensions.code),
    ["UNAUTHENTICATED"],
  );
  const anonymous = await create(space, { owner }, NOTE);
  assert.deepEqual([anonymous.metaEnvelope, anonymous.errors], [null, [{ code: "UNAUTHENTICATED" }]]);
  const stranger = await askGraphQL(
    space,
    { owner, token: await issue(await createWalletKey(), owner) },
    { query: LIST },
  );
  assert.deepEqual(
    stranger.errors?.map(({ extensions }) => extensions.code),
    ["INVALID_TOKEN"],
  );
});

test("a legacy platform token of the registry writes into an owner's vault, and the history names the platform (S1 Platform token, decision I7)", async () => {
  await using space = await startTestSpace({ DS_VAULT_AUTH: "enforced" });
  const owner = await createOwner(space, undefined);
  const platform = "https://notes.example";
  const token = await createRegistryClient({ fetch }, space).requestPlatformToken(platform);

  const { metaEnvelope } = await create(space, { owner, token }, NOTE);
  const history = await askGraphQL(
    space,
    { owner, token },
    {
      query: "query($id: ID!) { metaEnvelopeHistory(id: $id) { edges { node { operation requestingPlatform } } } }",
      variables: { id: metaEnvelope?.id },
    },
  );
  assert.deepEqual(history.data, {
    metaEnvelopeHistory: { edges: [{ node: { operation: "create", requestingPlatform: platform } }] },
  });
});
