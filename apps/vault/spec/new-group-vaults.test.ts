import assert from "node:assert/strict";
import { test } from "node:test";
import { systemClock } from "@dataspace/service-kit/clock";
import { createWalletKey } from "@dataspace/wallet/wallet-key";
import { ask, askGraphQL } from "./support/ask.ts";
import { DOCUMENTS, errorCodeOf } from "./support/operations.ts";
import { createPerson, platformHeaders } from "./support/people.ts";
import { startVault, type TestVault } from "./support/start-vault.ts";

const STORE = "mutation ($input: MetaEnvelopeInput!) { storeMetaEnvelope(input: $input) { metaEnvelope { id } } }";
const SERVICE = { authorization: "Bearer service-token-of-this-test-0123456789", "content-type": "application/json" };
const MINUTE_MS = 60_000;

async function startInTime(anonymousStore: "quarantine" | "deny" = "quarantine") {
  const time = { aheadMs: 0 };
  const clock = { ...systemClock, nowMs: () => systemClock.nowMs() + time.aheadMs };
  const vault = await startVault({ auth: "enforced", anonymousStore }, { clock });
  return { vault, time, [Symbol.asyncDispose]: () => vault[Symbol.asyncDispose]() };
}

/** Stores without a token. Out: whether a platform then reads it. */
async function isOpen(vault: TestVault, owner: string, headers = {}): Promise<boolean> {
  const input = { ontology: "note", payload: { eName: owner } };
  const stored = await askGraphQL(vault, owner, STORE, { input }, headers);
  const { id } = stored.body.data.storeMetaEnvelope.metaEnvelope;
  return (
    (await askGraphQL(vault, owner, DOCUMENTS.read, { id }, platformHeaders(vault))).body.data.metaEnvelope !== null
  );
}

test("in the first ten minutes of a vault that has never had a key a record stored without a token is not quarantined and emits its event, later it is [decision I3]", async () => {
  await using space = await startInTime();
  const { vault, time } = space;
  const group = await vault.createOwner();
  assert.equal(await isOpen(vault, group), true);
  const { rows } = await vault.database.query<{ body: string }>({ text: "select body from change_event", values: [] });
  assert.deepEqual(
    rows.map(({ body }) => JSON.parse(body).operation),
    ["create"],
  );
  const log = await ask(vault, "/logs", { headers: { "x-ename": group, ...platformHeaders(vault) } });
  assert.deepEqual(
    log.body.logs.map(({ platform, author }: { platform: null; author: null }) => [platform, author]),
    [[null, null]],
  );
  time.aheadMs = 9 * MINUTE_MS;
  assert.equal(await isOpen(vault, group), true);
  time.aheadMs = 10 * MINUTE_MS + 1_000;
  assert.equal(await isOpen(vault, group), false);
});

test("a vault with a key quarantines from the start, and a keyless one does once it has had its first key [decision I3]", async () => {
  await using space = await startInTime();
  const { vault } = space;
  assert.equal(await isOpen(vault, (await createPerson(vault)).ename), false);
  const group = await vault.createOwner();
  assert.equal(await isOpen(vault, group), true);
  const { publicKey } = await createWalletKey();
  const added = await ask(vault, "/public-key", {
    method: "PATCH",
    headers: { ...SERVICE, "x-ename": group },
    body: JSON.stringify({ publicKey }),
  });
  assert.equal(added.status, 200);
  assert.equal(await isOpen(vault, group), false);
});

test("the ten minutes are for what comes without a token, change no other rule of a stranger's store, and DS_ANONYMOUS_STORE=deny still denies [decision I3]", async () => {
  await using space = await startInTime();
  const { vault } = space;
  const [group, other] = [await vault.createOwner(), await createPerson(vault)];
  assert.equal(await isOpen(vault, group, await other.at(group)), false, "a token of somebody else");
  const refused = [
    { ontology: "b1d0a8c3-4e5f-6789-0abc-def012345678", payload: {} },
    { ontology: "c7a41f6d-95b8-4e2a-9c33-8f0d1b6e4a72", payload: {} },
    { ontology: "note", payload: {}, _acl: {} },
  ];
  for (const input of refused) {
    assert.equal(errorCodeOf(await askGraphQL(vault, group, STORE, { input })), "UNAUTHENTICATED");
  }
  await using denying = await startInTime("deny");
  const denied = await denying.vault.createOwner();
  const input = { ontology: "note", payload: {} };
  assert.equal(errorCodeOf(await askGraphQL(denying.vault, denied, STORE, { input })), "UNAUTHENTICATED");
});
