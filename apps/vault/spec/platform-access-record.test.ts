import assert from "node:assert/strict";
import { test } from "node:test";
import { parseEName } from "@dataspace/protocol/ename";
import { ONTOLOGY_ID } from "@dataspace/protocol/ontology-id";
import type { EName } from "@dataspace/protocol/ename";
import { ask, askGraphQL } from "./support/ask.ts";
import { DOCUMENTS } from "./support/operations.ts";
import { createPerson, type Person, platformHeaders, platformSession } from "./support/people.ts";
import { startVault, type TestVault } from "./support/start-vault.ts";

const { SocialMediaPost: POST, Ledger } = ONTOLOGY_ID;
const [FIRST, SECOND] = ["a", "b"].map((digit) => parseEName(`5c0e1b52-6b0a-4d0f-9d8e-00000000000${digit}`)) as [
  EName,
  EName,
];
const DAY_MS = 86_400_000;

async function read(vault: TestVault, owner: Person, query = "") {
  const headers = { "x-ename": owner.ename, ...(await owner.at(owner.ename)) };
  return ask(vault, `/platform-access${query}`, { headers });
}

async function createPost(
  vault: TestVault,
  owner: EName,
  headers: Readonly<Record<string, string>>,
  ontology: string = POST,
) {
  const input = { ontology, payload: { a: 1 }, acl: ["*"] };
  const { body } = await askGraphQL(vault, owner, DOCUMENTS.create, { input }, headers);
  return body.data.createMetaEnvelope.metaEnvelope?.id as string | undefined;
}

test("the owner sees which platform reached which domain, by which certificate and when; a refusal is not recorded [decision A2]", async () => {
  let nowMs = Date.now();
  await using vault = await startVault({}, { clock: { nowMs: () => nowMs } });
  const owner = await createPerson(vault);
  const session = (platform: EName, certificateId: string, domains: readonly string[]) =>
    platformSession(vault, owner.ename, { platform, certificateId, domains });
  const social = session(FIRST, "c1", ["social"]);
  const finance = session(SECOND, "c2", ["finance"]);
  const startMs = nowMs;
  const id = await createPost(vault, owner.ename, social);
  assert.equal(await createPost(vault, owner.ename, social, Ledger), undefined);
  await askGraphQL(vault, owner.ename, DOCUMENTS.list, { first: 5 }, finance);
  await askGraphQL(vault, owner.ename, DOCUMENTS.read, { id }, finance);
  // By the header alone: the wallet's clock does not go along.
  const entries = async () =>
    (await ask(vault, "/platform-access", { headers: { "x-ename": owner.ename } })).body.entries;
  const shown = (of: readonly Record<string, string>[]) =>
    of.map(({ platform, certificateId, domain, action }) => [platform, certificateId, domain, action].join(" "));
  assert.deepEqual(shown(await entries()), [`${FIRST} c1 social write`]);
  nowMs += 30_000;
  await askGraphQL(vault, owner.ename, DOCUMENTS.read, { id }, social);
  nowMs += 61_000;
  await createPost(vault, owner.ename, social);
  const [reading, writing] = await entries();
  assert.deepEqual(shown([reading, writing]), [`${FIRST} c1 social read`, `${FIRST} c1 social write`]);
  assert.equal(Date.parse(writing.firstAt), startMs);
  assert.equal(Date.parse(writing.lastAt), nowMs);
  assert.deepEqual([writing.level, writing.version, writing.issuer], ["L3", "1.4.0", "https://ppa.example"]);
  nowMs += DAY_MS;
  for (let deployments = 0; deployments < 3; deployments += 1) {
    await createPost(vault, owner.ename, session(FIRST, "c1", ["social"]));
  }
  assert.equal((await entries()).length, 3, "another day has its own row, another deployment has not");
});

test("lists, history, logs and files note what they show; a legacy token and a person are not noted [decision A2]", async () => {
  await using vault = await startVault();
  const owner = await createPerson(vault);
  const id = await createPost(vault, owner.ename, await owner.at(owner.ename));
  const actions: readonly ((headers: Readonly<Record<string, string>>) => Promise<unknown>)[] = [
    (headers) => askGraphQL(vault, owner.ename, DOCUMENTS.list, {}, headers),
    (headers) => askGraphQL(vault, owner.ename, DOCUMENTS.history, { id }, headers),
    (headers) => askGraphQL(vault, owner.ename, "{ getAllEnvelopes { id } }", {}, headers),
    (headers) => ask(vault, "/logs", { headers: { "x-ename": owner.ename, ...headers } }),
  ];
  for (const act of actions) {
    await act(platformHeaders(vault));
    await act(await owner.at(owner.ename));
    const before = (await read(vault, owner, "?limit=100")).body.entries.length;
    await act(platformSession(vault, owner.ename));
    assert.equal((await read(vault, owner, "?limit=100")).body.entries.length, before + 1);
  }
});

test("the record is the owner's alone, and its pages follow each other without gap or repeat [decision V3]", async () => {
  await using vault = await startVault({ auth: "enforced" });
  const [owner, other] = await Promise.all([createPerson(vault), createPerson(vault)]);
  for (let n = 0; n < 7; n += 1) await createPost(vault, owner.ename, platformSession(vault, owner.ename));
  const seen: string[] = [];
  let query = "?limit=3";
  for (;;) {
    const { body } = await read(vault, owner, query);
    seen.push(...body.entries.map(({ id }: { id: string }) => id));
    if (!body.hasMore) break;
    query = `?limit=3&cursor=${body.nextCursor}`;
  }
  assert.equal(new Set(seen).size, 7);
  assert.deepEqual(seen, seen.toSorted().reverse());
  assert.equal((await read(vault, owner, "?limit=0")).body.error.code, "INVALID_PAGINATION");
  assert.equal((await read(vault, owner, "?cursor=abc")).body.error.code, "BAD_CURSOR");
  const as = async (headers: Readonly<Record<string, string>>) =>
    (await ask(vault, "/platform-access", { headers: { "x-ename": owner.ename, ...headers } })).body.error.code;
  assert.equal(await as({}), "UNAUTHENTICATED");
  for (const headers of [platformHeaders(vault), platformSession(vault, owner.ename), await other.at(owner.ename)]) {
    assert.equal(await as(headers), "FORBIDDEN");
  }
});

test("a thousand reads at once by one session are noted once [decision V25]", async () => {
  await using vault = await startVault();
  const owner = await createPerson(vault);
  const session = platformSession(vault, owner.ename);
  const id = await createPost(vault, owner.ename, session);
  const reads = `query { ${Array.from({ length: 5 }, (_, n) => `r${n}: metaEnvelope(id: "${id}") { id }`).join(" ")} }`;
  await Promise.all(Array.from({ length: 200 }, () => askGraphQL(vault, owner.ename, reads, {}, session)));
  assert.equal((await read(vault, owner)).body.entries.length, 2);
});
