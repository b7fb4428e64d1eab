import assert from "node:assert/strict";
import { test } from "node:test";
import { issueWalletToken } from "@dataspace/wallet/issue-wallet-token";
import { createWalletKey, type WalletKey } from "@dataspace/wallet/wallet-key";
import type { EName } from "@dataspace/protocol/ename";
import { createOwner } from "../create-owner.ts";
import { ask, askGraphQL, type Written } from "./support/ask.ts";
import { startSecondVault } from "./support/start-second-vault.ts";
import { startTestSpace } from "./support/start-test-space.ts";

const clock = { nowMs: () => Date.now() };
const LIST = "{ metaEnvelopes { totalCount edges { node { parsed } } } }";
const CREATE = `mutation($input: MetaEnvelopeInput!) {
  createMetaEnvelope(input: $input) { metaEnvelope { id parsed } errors { code } }
}`;

interface Person {
  readonly ename: EName;
  readonly key: WalletKey;
}

async function createPerson(where: { readonly registryUrl: string; readonly vaultUrl: string }): Promise<Person> {
  const key = await createWalletKey();
  return { ename: await createOwner(where, key.publicKey), key };
}

async function asks(person: Person, owner: Person): Promise<{ readonly owner: EName; readonly token: string }> {
  const said = { ename: person.ename, audience: owner.ename };
  return { owner: owner.ename, token: await issueWalletToken({ key: person.key, clock }, said) };
}

test("an eName of one vault reads at another what lists it, and nothing else: registry, /whois and certificates are the only road (decisions I4, E6) [V-TOK-006] [V-AUTH-014] [V-EVT-229]", async () => {
  await using space = await startTestSpace({ DS_VAULT_AUTH: "enforced" });
  await using second = await startSecondVault(space);
  const [host, guest, stranger] = [await createPerson(space), await createPerson(second), await createPerson(second)];

  for (const [text, acl] of [
    ["for my guest", [guest.ename, host.ename]],
    ["for me", [host.ename]],
  ] as const) {
    const variables = { input: { ontology: "note-v1", payload: { text }, acl } };
    const { data } = await askGraphQL<{ createMetaEnvelope: Written }>(space, await asks(host, host), {
      query: CREATE,
      variables,
    });
    assert.deepEqual(data.createMetaEnvelope.errors, []);
  }
  const listed = async (person: Person): Promise<unknown> =>
    (await askGraphQL(space, await asks(person, host), { query: LIST })).data;
  const edges = [{ node: { parsed: { text: "for my guest" } } }];
  assert.deepEqual(await listed(guest), { metaEnvelopes: { totalCount: 1, edges } });
  assert.deepEqual(await listed(stranger), { metaEnvelopes: { totalCount: 0, edges: [] } });
  // The same person with an uncertified key is anonymous.
  const impostor = { ename: guest.ename, key: stranger.key };
  const refused = await ask<{ error: { code: string } }>(`${space.vaultUrl}/logs`, await asks(impostor, host));
  assert.deepEqual([refused.status, refused.body.error.code], [401, "INVALID_TOKEN"]);
});

test("a vault whose operator allows no private address does not ask one on this machine, and says no more than that it cannot (decision E6) [V-EVT-221]", async () => {
  await using space = await startTestSpace({ DS_VAULT_AUTH: "enforced" });
  await using strict = await startSecondVault(space, { DS_OUTGOING_ALLOW: "192.0.2.0/24" });
  const [host, guest] = [await createPerson(strict), await createPerson(space)];
  const refused = await ask<{ error: { code: string } }>(`${strict.vaultUrl}/logs`, await asks(guest, host));
  assert.deepEqual([refused.status, refused.body.error.code], [503, "REGISTRY_UNAVAILABLE"]);
});
