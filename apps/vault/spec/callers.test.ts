import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { systemClock } from "@dataspace/service-kit/clock";
import { issueWalletToken } from "@dataspace/wallet/issue-wallet-token";
import { createWalletKey } from "@dataspace/wallet/wallet-key";
import { spentCallerTokens } from "../src/store/spent-token-rows.ts";
import { ask, askGraphQL } from "./support/ask.ts";
import { create, DOCUMENTS, errorCodeOf, refusalOf } from "./support/operations.ts";
import { startVault, type TestVault } from "./support/start-vault.ts";

const INPUT = { ontology: "note", payload: { a: 1 } };
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

function platformToken(vault: TestVault, claims: object = {}): string {
  const iat = Math.floor(Date.now() / 1000);
  return vault.signAsRegistry({ platform: "https://platform.example", iat, exp: iat + 600, ...claims });
}

/** An owner with a wallet, and a way to have the wallet issue tokens for this owner's vault. */
async function ownerWithWallet(vault: TestVault) {
  const key = await createWalletKey();
  const owner = await vault.createOwner(key.publicKey);
  const token = () => issueWalletToken({ key, clock: systemClock }, { ename: owner, audience: owner });
  return { key, owner, token };
}

test("enforced: a caller without a token reaches no data: UNAUTHENTICATED [V-DEC-141] [V-DEC-142] [V-DEC-375] [V-DEC-376] [V-DEC-373] [V-ERR-012]", async () => {
  await using vault = await startVault({ auth: "enforced" });
  const owner = await vault.createOwner();
  for (const [query, variables] of [
    [DOCUMENTS.read, { id: "x" }],
    [DOCUMENTS.list, {}],
    [DOCUMENTS.history, { id: "x" }],
  ] as const) {
    const answer = await askGraphQL(vault, owner, query, variables);
    assert.deepEqual([answer.status, errorCodeOf(answer)], [200, "UNAUTHENTICATED"]);
  }
  for (const [query, variables] of [
    [DOCUMENTS.create, { input: INPUT }],
    [DOCUMENTS.update, { id: "x", input: INPUT }],
    [DOCUMENTS.remove, { id: "x" }],
  ] as const) {
    const { code, field } = refusalOf(await askGraphQL(vault, owner, query, variables));
    assert.deepEqual([code, field ?? null], ["UNAUTHENTICATED", null]);
  }
  assert.equal((await ask(vault, "/logs", { headers: { "x-ename": owner } })).status, 401);
  assert.equal((await ask(vault, "/whois", { headers: { "x-ename": owner } })).status, 200);
});

test("header: a tokenless caller is the eName in X-ENAME, with platform and author null, and is warned of it [V-DEC-143] [V-DEC-144] [V-DEC-145]", async () => {
  await using vault = await startVault({ auth: "header" });
  const owner = await vault.createOwner();
  const id = await create(vault, owner, { payload: {} });
  const onBehalfOf = `@${randomUUID()}`;
  const answer = await askGraphQL(
    vault,
    owner,
    DOCUMENTS.update,
    { id, input: INPUT },
    { "x-on-behalf-of": onBehalfOf },
  );
  assert.match(answer.headers.get("warning") ?? "", /development/);
  const { body } = await askGraphQL(vault, owner, DOCUMENTS.history, { id });
  const nodes = body.data.metaEnvelopeHistory.edges.map(({ node }: { node: Record<string, unknown> }) => [
    node["author"],
    node["requestingPlatform"],
  ]);
  assert.deepEqual(nodes, [
    [onBehalfOf, null],
    [null, null],
  ]);
});

test("a platform token satisfies the legacy path, is recorded as the platform, and X-ON-BEHALF-OF as the author [V-AUTH-008] [V-AUTH-010] [V-AUTH-011] [V-VER-011] [V-VER-012] [V-VER-013] [V-LOG-009] [V-DEC-200] [V-TOK-011]", async () => {
  await using vault = await startVault({ auth: "enforced" });
  const owner = await vault.createOwner();
  const author = `@${randomUUID()}`;
  const headers = { ...bearer(platformToken(vault)), "x-on-behalf-of": author };
  const { body } = await askGraphQL(vault, owner, DOCUMENTS.create, { input: { ...INPUT, acl: ["*"] } }, headers);
  const { id } = body.data.createMetaEnvelope.metaEnvelope;
  await askGraphQL(vault, owner, DOCUMENTS.update, { id, input: INPUT }, headers);
  const history = await askGraphQL(vault, owner, DOCUMENTS.history, { id }, headers);
  for (const { node } of history.body.data.metaEnvelopeHistory.edges) {
    assert.deepEqual([node.requestingPlatform, node.author], ["https://platform.example", author]);
  }
  const logs = await ask(vault, "/logs", { headers: { "x-ename": owner, ...headers } });
  assert.deepEqual([logs.body.logs[0].platform, logs.body.logs[0].author], ["https://platform.example", author]);
  const { rows } = await vault.database.query({
    text: "select distinct requesting_platform from change_event",
    values: [],
  });
  assert.deepEqual(rows, [{ requesting_platform: "https://platform.example" }]);
});

test("legacy platform tokens read and do not write where they are read-only, and are refused where they are rejected [V-DEC-241] [V-DEC-242]", async () => {
  await using readOnly = await startVault({ auth: "header", legacyTokens: "read-only" });
  const owner = await readOnly.createOwner();
  const id = await create(readOnly, owner, { payload: { a: 1 } });
  const headers = bearer(platformToken(readOnly));
  assert.equal((await askGraphQL(readOnly, owner, DOCUMENTS.read, { id }, headers)).body.data.metaEnvelope.id, id);
  for (const [query, variables] of [
    [DOCUMENTS.create, { input: INPUT }],
    [DOCUMENTS.update, { id, input: INPUT }],
    [DOCUMENTS.remove, { id }],
  ] as const) {
    assert.equal(refusalOf(await askGraphQL(readOnly, owner, query, variables, headers)).code, "FORBIDDEN");
  }
  await using reject = await startVault({ auth: "header", legacyTokens: "reject" });
  const { status, body } = await askGraphQL(
    reject,
    await reject.createOwner(),
    DOCUMENTS.list,
    {},
    bearer(platformToken(reject)),
  );
  assert.deepEqual([status, body.error.code], [401, "INVALID_TOKEN"]);
});

test("a wallet token by a key in force reads and writes as its eName, with platform null [V-TOK-001] [V-TOK-002] [V-AUTH-009] [V-VER-014] [V-DEC-150] [V-DEC-151] [V-DEC-201] [V-DEC-234]", async () => {
  await using vault = await startVault({ auth: "enforced" });
  const { owner, token } = await ownerWithWallet(vault);
  const headers = { ...bearer(await token()), "x-on-behalf-of": `@${randomUUID()}` };
  const { body } = await askGraphQL(vault, owner, DOCUMENTS.create, { input: INPUT }, headers);
  const { id } = body.data.createMetaEnvelope.metaEnvelope;
  const history = await askGraphQL(vault, owner, DOCUMENTS.history, { id }, headers);
  const { author, requestingPlatform } = history.body.data.metaEnvelopeHistory.edges[0].node;
  assert.deepEqual([author, requestingPlatform], [owner, null]);
  assert.equal((await askGraphQL(vault, owner, DOCUMENTS.read, { id }, headers)).body.data.metaEnvelope.id, id);
});

test("a wallet token serves one writing request with all its mutations; a refused write does not spend it; the next is TOKEN_SPENT [V-DEC-235] [V-DEC-237] [V-DEC-238]", async () => {
  await using vault = await startVault({ auth: "enforced" });
  const { owner, token } = await ownerWithWallet(vault);
  const headers = bearer(await token());
  assert.equal(
    refusalOf(await askGraphQL(vault, owner, DOCUMENTS.remove, { id: "unknown" }, headers)).code,
    "NOT_FOUND",
  );
  const three = `mutation ($input: MetaEnvelopeInput!) { a: createMetaEnvelope(input: $input) { errors { code } }
    b: createMetaEnvelope(input: $input) { errors { code } } c: createMetaEnvelope(input: $input) { errors { code } } }`;
  const { body } = await askGraphQL(vault, owner, three, { input: INPUT }, headers);
  assert.deepEqual(body.data, { a: { errors: [] }, b: { errors: [] }, c: { errors: [] } });
  assert.equal(
    refusalOf(await askGraphQL(vault, owner, DOCUMENTS.create, { input: INPUT }, headers)).code,
    "TOKEN_SPENT",
  );
  const list = await askGraphQL(vault, owner, DOCUMENTS.list, {}, headers);
  assert.equal(list.body.data.metaEnvelopes.totalCount, 3);
});

test("a spent wallet token is known by what it says: with the other signature of the same bytes it is TOKEN_SPENT [V-DEC-287] [V-DEC-235]", async () => {
  await using vault = await startVault({ auth: "enforced" });
  const { owner, token } = await ownerWithWallet(vault);
  const [header, claims, signature = ""] = (await token()).split(".");
  const raw = Buffer.from(signature, "base64url");
  const order = BigInt("0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551");
  const otherS = (order - BigInt(`0x${raw.toString("hex", 32)}`)).toString(16).padStart(64, "0");
  const other = Buffer.concat([raw.subarray(0, 32), Buffer.from(otherS, "hex")]).toString("base64url");
  const write = async (text: string) =>
    (await askGraphQL(vault, owner, DOCUMENTS.create, { input: INPUT }, bearer(`${header}.${claims}.${text}`))).body
      .data.createMetaEnvelope.errors[0]?.code ?? "written";
  assert.deepEqual([await write(other), await write(signature)], ["written", "TOKEN_SPENT"]);
});

test("of parallel writing requests with one wallet token exactly one writes [V-DEC-235]", async () => {
  await using vault = await startVault({ auth: "enforced" });
  const { owner, token } = await ownerWithWallet(vault);
  const headers = bearer(await token());
  const sent = Array.from({ length: 16 }, () => askGraphQL(vault, owner, DOCUMENTS.create, { input: INPUT }, headers));
  const codes = (await Promise.all(sent)).map(({ body }) => body.data.createMetaEnvelope.errors[0]?.code ?? "written");
  assert.deepEqual(codes.toSorted(), [...Array(15).fill("TOKEN_SPENT"), "written"]);
});

const iat = () => Math.floor(Date.now() / 1000);
const REFUSED: readonly [string, (vault: TestVault, owner: string) => Promise<string> | string][] = [
  ["not a credential", () => "Basic YTpi"],
  ["an empty bearer", () => "Bearer "],
  ["an opaque token", () => "Bearer abc"],
  ["a recovery code", () => "Bearer dsr_abcdefghijklmnopqrstuvwxyz0123456789"],
  ["a session of no handshake", () => "Bearer dss_abcdefghijklmnopqrstuvwxyz0123456789"],
  ["the service token", () => "Bearer service-token-of-this-test-0123456789"],
  ["alg none", () => `Bearer ${Buffer.from('{"alg":"none","kid":"x"}').toString("base64url")}.e30.`],
  [
    "another algorithm",
    (v) => `Bearer ${v.signAsRegistry({ platform: "p", iat: iat(), exp: iat() + 60 }, { alg: "HS256" })}`,
  ],
  [
    "an expired platform token",
    (v) => `Bearer ${v.signAsRegistry({ platform: "p", iat: iat() - 600, exp: iat() - 300 })}`,
  ],
  ["a platform token without exp", (v) => `Bearer ${v.signAsRegistry({ platform: "p", iat: iat() })}`],
  [
    "an entropy token",
    (v) => `Bearer ${v.signAsRegistry({ entropy: "AbCdEfGhIjKlMnOpQrSt", iat: iat(), exp: iat() + 60 })}`,
  ],
  [
    "a key binding certificate",
    (v, o) => `Bearer ${v.signAsRegistry({ ename: o, publicKey: "z", iat: iat(), exp: iat() + 60 })}`,
  ],
  [
    "a platform token with an eName in it",
    (v, o) => `Bearer ${v.signAsRegistry({ platform: "p", ename: o, iat: iat(), exp: iat() + 60 })}`,
  ],
  ["a token with an altered signature", (v) => `Bearer ${platformToken(v).slice(0, -6)}AAAAAA`],
  [
    "a token with crit",
    (v) => `Bearer ${v.signAsRegistry({ platform: "p", iat: iat(), exp: iat() + 60 }, { crit: ["exp"] })}`,
  ],
  [
    "a token of 9 KiB",
    (v) => `Bearer ${v.signAsRegistry({ platform: "p", iat: iat(), exp: iat() + 60, pad: "x".repeat(9_000) })}`,
  ],
];
for (const [what, authorization] of REFUSED) {
  test(`${what} is 401 INVALID_TOKEN, before the body is read, and never taken for no token [V-DEC-363] [V-DEC-378] [V-TOK-012] [V-TOK-013] [V-TOK-014] [V-TOK-015] [V-TOK-016] [V-TOK-017] [V-TOK-019] [V-TOK-020]`, async () => {
    await using vault = await startVault({ auth: "header" });
    const owner = await vault.createOwner();
    const headers = {
      "x-ename": owner,
      "content-type": "application/json",
      authorization: await authorization(vault, owner),
    };
    const { status, body } = await ask(vault, "/graphql", { method: "POST", headers, body: "{" });
    assert.deepEqual([status, body.error.code], [401, "INVALID_TOKEN"]);
  });
}

test("a wallet token for another vault, by a key not in force or living too long is INVALID_TOKEN [V-TOK-003] [V-TOK-005] [V-TOK-006] [V-TOK-018]", async () => {
  await using vault = await startVault({ auth: "enforced" });
  const [a, b] = [await ownerWithWallet(vault), await ownerWithWallet(vault)];
  const toOther = await askGraphQL(vault, b.owner, DOCUMENTS.list, {}, bearer(await a.token()));
  assert.deepEqual([toOther.status, toOther.body.error.code], [401, "INVALID_TOKEN"]);
  const foreignKey = await issueWalletToken({ key: a.key, clock: systemClock }, { ename: b.owner, audience: b.owner });
  assert.equal((await askGraphQL(vault, b.owner, DOCUMENTS.list, {}, bearer(foreignKey))).status, 401);
});

test("another person reads what `*` or their own eName in the array lets them, in lists, counts and single reads alike [V-ARR-001] [V-ARR-002] [V-ARR-003] [V-ARR-004] [V-ARR-005] [V-ARR-006] [V-SVC-012] [V-DEC-560] [V-DEC-562] [V-ME-004] [V-STATE-003] [V-STATE-008] [V-GUARD-006] [V-GUARD-008] [V-VRS-004] [V-DEC-342] [V-DEC-581] [V-DEC-582] [V-DEC-584] [V-DEC-589]", async () => {
  await using vault = await startVault({ auth: "header" });
  const [owner, person] = [await vault.createOwner(), await ownerWithWallet(vault)];
  const ids = {
    private: await create(vault, owner, { payload: { t: "x" } }),
    public: await create(vault, owner, { payload: { t: "x" }, acl: ["*"] }),
    listed: await create(vault, owner, { payload: { t: "x" }, acl: [person.owner.toUpperCase(), owner] }),
  };
  const as = async () =>
    bearer(await issueWalletToken({ key: person.key, clock: systemClock }, { ename: person.owner, audience: owner }));
  for (const filter of [{}, { ontologyId: "note" }, { search: { term: "x" } }]) {
    const { body } = await askGraphQL(vault, owner, DOCUMENTS.list, { filter }, await as());
    assert.deepEqual(
      body.data.metaEnvelopes.edges.map((edge: { node: { id: string } }) => edge.node.id),
      [ids.public, ids.listed],
    );
    assert.equal(body.data.metaEnvelopes.totalCount, 2);
  }
  const read = async (id: string) =>
    (await askGraphQL(vault, owner, DOCUMENTS.read, { id }, await as())).body.data.metaEnvelope?.id ?? null;
  assert.deepEqual(
    [await read(ids.private), await read(ids.public), await read(ids.listed)],
    [null, ids.public, ids.listed],
  );
  const update = async (id: string) =>
    (await askGraphQL(vault, owner, DOCUMENTS.update, { id, input: INPUT }, await as())).body.data.updateMetaEnvelope
      .errors[0]?.code ?? "written";
  assert.deepEqual(
    [await update(ids.private), await update(ids.public), await update(ids.listed)],
    ["NOT_FOUND", "FORBIDDEN", "written"],
  );
  assert.equal(
    refusalOf(await askGraphQL(vault, owner, DOCUMENTS.create, { input: INPUT }, await as())).code,
    "FORBIDDEN",
  );
  const history = await askGraphQL(vault, owner, DOCUMENTS.history, { id: ids.private }, await as());
  const { edges, totalCount } = history.body.data.metaEnvelopeHistory;
  assert.deepEqual([edges, totalCount], [[], 0]);
  const logs = await ask(vault, "/logs", { headers: { "x-ename": owner, ...(await as()) } });
  assert.deepEqual(
    new Set(logs.body.logs.map((entry: { metaEnvelopeId: string }) => entry.metaEnvelopeId)),
    new Set([ids.public, ids.listed]),
  );
});

test("an acl from somebody who is not the owner changes nothing, and an omitted one leaves what is in force [V-DEC-403] [decision V22] [V-DEC-765]", async () => {
  await using vault = await startVault({ auth: "header" });
  const owner = await vault.createOwner();
  const id = await create(vault, owner, { payload: {} });
  await askGraphQL(
    vault,
    owner,
    DOCUMENTS.update,
    { id, input: { ...INPUT, acl: ["*"] } },
    bearer(platformToken(vault)),
  );
  const acl = async () =>
    (
      await vault.database.query<{ acl: string[] }>({
        text: "select coalesce(acl, array[owner]) as acl from meta_envelope",
        values: [],
      })
    ).rows[0]?.acl;
  assert.deepEqual(await acl(), [owner]);
  await askGraphQL(vault, owner, DOCUMENTS.update, { id, input: { ...INPUT, acl: ["*"] } });
  await askGraphQL(vault, owner, DOCUMENTS.update, { id, input: INPUT });
  assert.deepEqual(await acl(), ["*"]);
});

test("a malformed X-ON-BEHALF-OF is 400 INVALID_ENAME [decision I1]", async () => {
  await using vault = await startVault();
  const { status, body } = await askGraphQL(
    vault,
    await vault.createOwner(),
    DOCUMENTS.list,
    {},
    { "x-on-behalf-of": "alice" },
  );
  assert.deepEqual([status, body.error.code], [400, "INVALID_ENAME"]);
});

test("a platform token that cannot be verified because the registry is down is 503 REGISTRY_UNAVAILABLE, not a bad token", async () => {
  await using vault = await startVault({ auth: "enforced" });
  const owner = await vault.createOwner();
  const headers = bearer(platformToken(vault));
  vault.registry.down = true;
  const { status, body } = await askGraphQL(vault, owner, DOCUMENTS.list, {}, headers);
  assert.deepEqual([status, body.error.code], [503, "REGISTRY_UNAVAILABLE"]);
});

test("a spent wallet token is forgotten ten minutes after it has expired, and not before [decision I6]", async () => {
  await using vault = await startVault({ auth: "enforced" });
  const { owner, token } = await ownerWithWallet(vault);
  const headers = bearer(await token());
  assert.equal((await askGraphQL(vault, owner, DOCUMENTS.create, { input: INPUT }, headers)).status, 200);
  const after = (minutes: number) => spentCallerTokens.sweep(vault.database, Date.now() + minutes * 60_000);
  assert.equal(await after(14), 0);
  assert.equal(
    refusalOf(await askGraphQL(vault, owner, DOCUMENTS.create, { input: INPUT }, headers)).code,
    "TOKEN_SPENT",
  );
  assert.equal(await after(21), 1);
});
