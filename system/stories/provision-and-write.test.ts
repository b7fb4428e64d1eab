import assert from "node:assert/strict";
import { test } from "node:test";
import { createRegistryClient } from "@dataspace/clients/registry-client";
import { createRemoteKeySet } from "@dataspace/clients/remote-key-set";
import { validateKeyBindingClaims } from "@dataspace/protocol/key-binding-certificate";
import { createWalletKey } from "@dataspace/wallet/wallet-key";
import { createOwner } from "../create-owner.ts";
import { ask, askGraphQL, create, type Written } from "./support/ask.ts";
import { startTestSpace } from "./support/start-test-space.ts";

const clock = { nowMs: () => Date.now() };

interface Whois {
  readonly dsid: string;
  readonly vaultId: string;
  readonly keyBindingCertificates: readonly string[];
}

test("provisioning with a key gives an eName that resolves to its vault, and a certificate of that key by the registry (S1 POST /provision, GET /whois) [V-CNV-004] [V-HTTP-004] [V-HTTP-006] [V-HTTP-021] [V-AUTH-014]", async () => {
  await using space = await startTestSpace();
  const key = await createWalletKey();
  const owner = await createOwner(space, key.publicKey);

  const address = await createRegistryClient({ fetch }, space).resolve(owner);
  const { status, body } = await ask<Whois>(`${space.vaultUrl}/whois`, { owner });
  assert.equal(status, 200);
  assert.deepEqual(address, { ename: owner, uri: space.vaultUrl, vault: body.vaultId });
  assert.equal(body.dsid, owner);
  assert.equal(body.keyBindingCertificates.length, 1);

  const keySet = createRemoteKeySet({ fetch, clock }, { keySetUrl: `${space.registryUrl}/.well-known/jwks.json` });
  const { payload } = await keySet.verify(body.keyBindingCertificates[0]!);
  const claims = validateKeyBindingClaims(payload, { ename: owner, nowSeconds: Date.now() / 1000 });
  assert.equal(claims.publicKey, key.publicKey);
});

test("a MetaEnvelope is written, read, updated and removed, and history and log keep every write (S1 States and transitions)", async () => {
  await using space = await startTestSpace();
  const owner = await createOwner(space, (await createWalletKey()).publicKey);
  const payload = { title: "Zürich → 東京", stops: [{ at: "06:12" }, null, 3.5], open: true };
  const { metaEnvelope } = await create(space, { owner }, { ontology: "journey-v1", payload });
  assert.deepEqual(metaEnvelope?.parsed, payload);
  const id = metaEnvelope?.id;

  const change = { ontology: "journey-v1", payload: { open: false } };
  const updated = await askGraphQL<{ updateMetaEnvelope: Written }>(
    space,
    { owner },
    {
      query:
        "mutation($id: ID!, $input: MetaEnvelopeInput!) { updateMetaEnvelope(id: $id, input: $input) { metaEnvelope { id parsed } errors { code } } }",
      variables: { id, input: change },
    },
  );
  assert.deepEqual(updated.data.updateMetaEnvelope.metaEnvelope?.parsed, { ...payload, open: false });

  const removed = await askGraphQL<{ removeMetaEnvelope: object }>(
    space,
    { owner },
    {
      query: "mutation($id: ID!) { removeMetaEnvelope(id: $id) { deletedId success } }",
      variables: { id },
    },
  );
  assert.deepEqual(removed.data.removeMetaEnvelope, { deletedId: id, success: true });
  const read = await askGraphQL(
    space,
    { owner },
    {
      query: "query($id: ID!) { metaEnvelope(id: $id) { id } }",
      variables: { id },
    },
  );
  assert.deepEqual(read.data, { metaEnvelope: null });

  const history = await askGraphQL<{ metaEnvelopeHistory: { edges: { node: object }[] } }>(
    space,
    { owner },
    {
      query: "query($id: ID!) { metaEnvelopeHistory(id: $id) { edges { node { version operation parsed } } } }",
      variables: { id },
    },
  );
  assert.deepEqual(
    history.data.metaEnvelopeHistory.edges.map(({ node }) => node),
    [
      { version: 3, operation: "delete", parsed: null },
      { version: 2, operation: "update", parsed: { ...payload, open: false } },
      { version: 1, operation: "create", parsed: payload },
    ],
  );
  const logs = await ask<{ logs: { operation: string; metaEnvelopeId: string }[] }>(`${space.vaultUrl}/logs`, {
    owner,
  });
  assert.deepEqual(
    logs.body.logs.map(({ operation, metaEnvelopeId }) => [operation, metaEnvelopeId]),
    ["delete", "update", "create"].map((operation) => [operation, id]),
  );
});
