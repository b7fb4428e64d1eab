import assert from "node:assert/strict";
import { randomBytes, randomUUID } from "node:crypto";
import { Agent, request } from "node:http";
import { json } from "node:stream/consumers";
import { test } from "node:test";
import { type Answer, ask, askGraphQL } from "./support/ask.ts";
import { DOCUMENTS } from "./support/operations.ts";
import { createPerson } from "./support/people.ts";
import { startRegistryStub } from "./support/start-registry-stub.ts";
import { startVault, type TestVault } from "./support/start-vault.ts";

const SHARE = 500;
const BUDGET = 2_000;
const LIST = "{ metaEnvelopes { totalCount } }";
const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");

/** A registry that answers 2,000 questions, a vault that lets one caller cause 500 of them, and a vault elsewhere. */
async function setup() {
  await using opened = new AsyncDisposableStack();
  const registry = opened.use(await startRegistryStub());
  const elsewhere = opened.use(await startVault({ auth: "enforced" }, { registry }));
  registry.questionsPerCaller = SHARE;
  registry.budget = BUDGET;
  const vault = opened.use(await startVault({ auth: "enforced" }, { registry }));
  const owned = opened.move();
  return { registry, elsewhere, vault, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

function forgeToken(audience: string): string {
  const ename = `@${randomUUID()}`;
  const iat = Math.floor(Date.now() / 1000);
  const claims = { iss: ename, sub: ename, aud: audience, iat, exp: iat + 300, jti: randomUUID() };
  const header = { alg: "ES256", typ: "ds-wallet+jwt", kid: ename };
  return `${part(header)}.${part(claims)}.${randomBytes(64).toString("base64url")}`;
}

/** Sends a forged token from another source address than that of the tests' other requests. */
async function sendForged(vault: TestVault, owner: string, agent: Agent): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const headers = {
    "content-type": "application/json",
    "x-ename": owner,
    authorization: `Bearer ${forgeToken(owner)}`,
  };
  const sent = request(`${vault.url}/graphql`, { method: "POST", headers, agent, localAddress: "127.0.0.2" });
  sent.once("error", reject);
  sent.once("response", async (response) => {
    const { error } = (await json(response)) as { error?: { code: string } };
    resolve(`${response.statusCode} ${error?.code}`);
  });
  sent.end(JSON.stringify({ query: LIST }));
  return promise;
}

async function assertOthersAreServed({ vault, elsewhere }: Awaited<ReturnType<typeof setup>>, owner: string) {
  const person = await createPerson(elsewhere);
  const listed: Answer = await askGraphQL(vault, owner, LIST, {}, await person.at(owner));
  assert.deepEqual([listed.status, listed.body.errors], [200, undefined]);
  const { body } = await ask(vault, "/whois", { headers: { "x-ename": (await createPerson(vault)).ename } });
  assert.equal(body.keyBindingCertificates.length, 1);
}

test("3,000 forged tokens of one address use at most its share of what the registry answers: others' tokens and certificates are served [decision V25]", async () => {
  await using given = await setup();
  const { registry, vault } = given;
  const { ename: owner } = await createPerson(vault);
  const agent = new Agent({ keepAlive: true, maxSockets: 20 });
  const outcomes = await Promise.all(Array.from({ length: 3_000 }, () => sendForged(vault, owner, agent)));
  agent.destroy();
  const counts = Map.groupBy(outcomes, (outcome) => outcome);
  assert.deepEqual(
    new Map([...counts].map(([outcome, those]) => [outcome, those.length])),
    new Map([
      ["401 INVALID_TOKEN", SHARE],
      ["503 REGISTRY_UNAVAILABLE", 3_000 - SHARE],
    ]),
  );
  assert.equal(registry.budget, BUDGET - SHARE);
  await assertOthersAreServed(given, owner);
});

test("the groups in policies that one caller has looked up use at most that caller's share, and another caller at the same address has its own [decision V25]", async () => {
  await using given = await setup();
  const { registry, vault } = given;
  const [owner, reader] = [await createPerson(vault), await createPerson(vault)];
  for (let count = 0; count < 2 * (BUDGET / 64); count += 1) {
    const grants = Array.from({ length: 64 }, () => ({ ename: `@${randomUUID()}`, perms: 1 }));
    const input = { ontology: "note", payload: {}, _acl: { grants: [...grants, { ename: owner.ename, perms: 15 }] } };
    const created = await askGraphQL(vault, owner.ename, DOCUMENTS.create, { input }, await owner.at(owner.ename));
    const { id } = created.body.data.createMetaEnvelope.metaEnvelope;
    const read = await askGraphQL(vault, owner.ename, DOCUMENTS.read, { id }, await reader.at(owner.ename));
    assert.deepEqual(read.body, { data: { metaEnvelope: null } });
  }
  assert.ok(registry.budget >= BUDGET - 2 * SHARE - 1, `${registry.budget} questions are left`);
  await assertOthersAreServed(given, owner.ename);
});
