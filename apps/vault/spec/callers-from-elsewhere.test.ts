import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import { type EName, parseEName } from "@dataspace/protocol/ename";
import { issueWalletToken } from "@dataspace/wallet/issue-wallet-token";
import { createWalletKey, type WalletKey } from "@dataspace/wallet/wallet-key";
import { ask, askGraphQL } from "./support/ask.ts";
import { create, DOCUMENTS } from "./support/operations.ts";
import { type RegistryStub, startRegistryStub } from "./support/start-registry-stub.ts";
import { startVault, type TestVault } from "./support/start-vault.ts";

/** A registry, a vault here with an owner, a person elsewhere (whose vault is another process's), and the time. */
async function setup() {
  await using opened = new AsyncDisposableStack();
  let aheadMs = 0;
  const clock = { nowMs: () => Date.now() + aheadMs };
  const registry = opened.use(await startRegistryStub());
  const here = opened.use(await startVault({ auth: "enforced" }, { registry, clock }));
  const key = await createWalletKey();
  const owned = opened.move();
  return {
    registry,
    here,
    clock,
    owner: await here.createOwner((await createWalletKey()).publicKey),
    key,
    advanceSeconds: (seconds: number) => {
      aheadMs += seconds * 1000;
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

type Setup = Awaited<ReturnType<typeof setup>>;

async function startElsewhere({ registry, clock }: Setup): Promise<TestVault> {
  return startVault({ auth: "enforced" }, { registry, clock });
}

async function bearer({ clock, owner }: Setup, key: WalletKey, ename: EName): Promise<Record<string, string>> {
  return { authorization: `Bearer ${await issueWalletToken({ key, clock }, { ename, audience: owner })}` };
}

/** What listing at the vault here answers to a person: a status, and the code of the refusal if it is one. */
async function listAs(given: Setup, key: WalletKey, ename: EName): Promise<readonly [number, string | undefined]> {
  const answer = await askGraphQL(given.here, given.owner, DOCUMENTS.list, {}, await bearer(given, key, ename));
  return [answer.status, answer.body.error?.code ?? answer.body.errors?.[0]?.extensions.code];
}

/** The vault of another party, which answers as configured at /whois. */
async function serveWhois(t: TestContext, answer: (ename: string) => { status?: number; body: unknown }) {
  const server = createServer((request, response) => {
    const { status = 200, body } = answer(String(request.headers["x-ename"]));
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const certificatesOf = (ename: string, certificates: unknown) => ({
  body: { dsid: ename, vaultId: "@v", keyBindingCertificates: certificates },
});

test("an eName whose vault is elsewhere reads and writes what lists it, as itself [V-TOK-006] [V-AUTH-009] [V-AUTH-014] [V-DEC-150]", async () => {
  await using given = await setup();
  await using elsewhere = await startElsewhere(given);
  const person = await elsewhere.createOwner(given.key.publicKey);
  await using trusting = await startVault({ auth: "header" }, given);
  const owner = await trusting.createOwner();
  const id = await create(trusting, owner, { payload: { t: "x" }, acl: [person, owner] });
  const hidden = await create(trusting, owner, { payload: { t: "y" } });
  const as = () => bearer({ ...given, owner }, given.key, person);
  const list = await askGraphQL(trusting, owner, DOCUMENTS.list, {}, await as());
  assert.deepEqual(
    list.body.data.metaEnvelopes.edges.map(({ node }: { node: { id: string } }) => node.id),
    [id],
  );
  assert.equal(
    (await askGraphQL(trusting, owner, DOCUMENTS.read, { id: hidden }, await as())).body.data.metaEnvelope,
    null,
  );
  const input = { ontology: "note", payload: { t: "z" } };
  const written = await askGraphQL(trusting, owner, DOCUMENTS.update, { id, input }, await as());
  assert.deepEqual(written.body.data.updateMetaEnvelope.errors, []);
  const history = await askGraphQL(trusting, owner, DOCUMENTS.history, { id }, await as());
  const { author, requestingPlatform } = history.body.data.metaEnvelopeHistory.edges[0].node;
  assert.deepEqual([author, requestingPlatform], [person, null]);
});

test("an owner's own tokens are judged by the key log: nobody is asked, and the registry may be down [V-TOK-008]", async () => {
  await using given = await setup();
  const owner = await given.here.createOwner(given.key.publicKey);
  given.registry.down = true;
  assert.deepEqual(await listAs({ ...given, owner }, given.key, owner), [200, undefined]);
  const keyless = await given.here.createOwner();
  given.registry.down = false;
  assert.deepEqual(await listAs(given, given.key, keyless), [401, "INVALID_TOKEN"]);
  assert.equal(given.registry.resolved, 0);
});

test("another eName's keys are cached for 300 s and not longer, and concurrent callers share a request [V-TOK-009]", async () => {
  await using given = await setup();
  await using elsewhere = await startElsewhere(given);
  const person = await elsewhere.createOwner(given.key.publicKey);
  const all = await Promise.all(Array.from({ length: 20 }, () => listAs(given, given.key, person)));
  assert.deepEqual(new Set(all.map(String)), new Set(["200,"]));
  assert.equal(given.registry.resolved, 1);
  await elsewhere.database.query({ text: "update owner_key set removed_at = now(), removed_by = 'test'", values: [] });
  // The clock also runs with the real time, so a slow machine needs a margin.
  given.advanceSeconds(280);
  assert.deepEqual(await listAs(given, given.key, person), [200, undefined]);
  given.advanceSeconds(21);
  assert.deepEqual(await listAs(given, given.key, person), [401, "INVALID_TOKEN"]);
  assert.equal(given.registry.resolved, 2);
});

test("while the registry or the vault elsewhere is down a token is 503 REGISTRY_UNAVAILABLE, never taken for none, and good again after [V-DEC-363]", async () => {
  await using given = await setup();
  const person = await (async () => {
    await using elsewhere = await startElsewhere(given);
    return elsewhere.createOwner(given.key.publicKey);
  })();
  assert.deepEqual(await listAs(given, given.key, person), [503, "REGISTRY_UNAVAILABLE"]);
  const logs = await ask(given.here, "/logs", {
    headers: { "x-ename": given.owner, ...(await bearer(given, given.key, person)) },
  });
  assert.deepEqual([logs.status, logs.body.error.code], [503, "REGISTRY_UNAVAILABLE"]);
  await using elsewhere = await startElsewhere(given);
  const other = await elsewhere.createOwner(given.key.publicKey);
  given.registry.down = true;
  assert.deepEqual(await listAs(given, given.key, other), [503, "REGISTRY_UNAVAILABLE"]);
  given.registry.down = false;
  given.advanceSeconds(31);
  assert.deepEqual(await listAs(given, given.key, other), [200, undefined]);
});

test("a forbidden address looks like one that does not answer [V-EVT-221]", async () => {
  await using given = await setup();
  const person = parseEName(randomUUID());
  for (const address of ["http://10.0.0.1:4000", "https://169.254.169.254", "http://localhost.:1", "ftp://127.0.0.1"]) {
    given.registry.addresses.set(person, address);
    const { status, body } = await ask(given.here, "/logs", {
      headers: { "x-ename": given.owner, ...(await bearer(given, given.key, person)) },
    });
    assert.deepEqual([status, body.error.code], [503, "REGISTRY_UNAVAILABLE"]);
    assert.doesNotMatch(body.error.message, /10\.0|169|localhost|ftp|address/);
  }
});

test("an eName that the registry, or the vault it names, does not know is 401 INVALID_TOKEN [V-DEC-363]", async (t) => {
  await using given = await setup();
  const person = parseEName(randomUUID());
  assert.deepEqual(await listAs(given, given.key, person), [401, "INVALID_TOKEN"]);
  given.registry.addresses.set(
    person,
    await serveWhois(t, () => ({ status: 404, body: { error: { code: "UNKNOWN_ENAME" } } })),
  );
  assert.deepEqual(await listAs(given, given.key, person), [401, "INVALID_TOKEN"]);
});

type Claims = Readonly<Record<string, unknown>>;
const BAD_CERTIFICATES: readonly [
  string,
  (registry: RegistryStub, claims: Claims, stranger: RegistryStub) => string,
][] = [
  ["none", () => ""],
  ["another eName's", (r, c) => r.sign({ ...c, ename: `@${randomUUID()}` })],
  ["one that another signed", (_, c, stranger) => stranger.sign(c)],
  ["one with an unknown kid", (r, c) => r.sign(c, { kid: "other" })],
  ["one that has expired", (r, c) => r.sign({ ...c, iat: Number(c["iat"]) - 3700, exp: Number(c["iat"]) - 100 })],
  ["one from the future", (r, c) => r.sign({ ...c, iat: Number(c["iat"]) + 200 })],
  ["one without exp", (r, { exp: _, ...c }) => r.sign(c)],
  ["one that lives a day", (r, c) => r.sign({ ...c, exp: Number(c["iat"]) + 86_400 })],
  ["a platform token", (r, c) => r.sign({ ...c, platform: "https://p.example" })],
  ["an entropy token", (r, c) => r.sign({ ...c, entropy: "AbCdEfGhIjKlMnOpQrSt" })],
  ["one without key", (r, { publicKey: _, ...c }) => r.sign(c)],
  ["one of alg none", (_, c) => `${encode({ alg: "none", kid: "test" })}.${encode(c)}.`],
];
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

test("a vault elsewhere certifies nobody: only certificates of the registry for this eName, in force, count [V-TOK-006] [V-TOK-017] [V-AUTH-014]", async (t) => {
  await using given = await setup();
  await using stranger = await startRegistryStub();
  const iat = Math.floor(Date.now() / 1000);
  const outcomes: [string, unknown][] = [];
  for (const [what, certify] of BAD_CERTIFICATES) {
    const person = parseEName(randomUUID());
    const claims = { ename: person, publicKey: given.key.publicKey, iat, exp: iat + 3600 };
    const certificate = certify(given.registry, claims, stranger);
    given.registry.addresses.set(
      person,
      await serveWhois(t, (ename) => certificatesOf(ename, certificate ? [certificate] : [])),
    );
    outcomes.push([what, await listAs(given, given.key, person)]);
  }
  assert.deepEqual(
    outcomes,
    BAD_CERTIFICATES.map(([what]) => [what, [401, "INVALID_TOKEN"]]),
  );
  const person = parseEName(randomUUID());
  const good = given.registry.sign({ ename: person, publicKey: given.key.publicKey, iat, exp: iat + 3600 });
  const bad = stranger.sign({ ename: person, publicKey: given.key.publicKey, iat, exp: iat + 3600 });
  given.registry.addresses.set(person, await serveWhois(t, (ename) => certificatesOf(ename, [bad, good, "nonsense"])));
  assert.deepEqual(await listAs(given, given.key, person), [200, undefined]);
});

test("a vault elsewhere that answers nonsense is 503, since the token may be good", async (t) => {
  await using given = await setup();
  for (const answer of [
    () => ({ body: "nonsense" }),
    () => ({ body: null }),
    () => ({ body: {} }),
    (ename: string) => certificatesOf(ename, "text"),
    (ename: string) => certificatesOf(ename, [1]),
    (ename: string) => certificatesOf(ename, Array(65).fill("x")),
    () => certificatesOf(`@${randomUUID()}`, []),
    () => ({ status: 302, body: {} }),
    () => ({ status: 500, body: {} }),
    (ename: string) => certificatesOf(ename, ["x".repeat(1_048_576)]),
  ]) {
    const person = parseEName(randomUUID());
    given.registry.addresses.set(person, await serveWhois(t, answer));
    assert.deepEqual(await listAs(given, given.key, person), [503, "REGISTRY_UNAVAILABLE"], String(answer));
  }
});
