import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { LINK_IDS } from "@dataspace/platform-auth/link-entry";
import { type EName, parseEName } from "@dataspace/protocol/ename";
import { ONTOLOGY_ID } from "@dataspace/protocol/ontology-id";
import type { HandshakeAnswer } from "@dataspace/platform-auth/evidence";
import type { TestPlatform } from "@dataspace/platform-auth/testing/test-platform";
import { askGraphQL } from "./support/ask.ts";
import { DOCUMENTS } from "./support/operations.ts";
import * as platforms from "./support/platforms.ts";
import { startVault, type TestVault } from "./support/start-vault.ts";

const { askChallenge, answerTo, sendAnswer, shakeHands, dpopHeaders } = platforms;

let authority: platforms.TestAuthority;
let vault: TestVault;
let owner: EName;
let platform: TestPlatform;
before(async () => {
  authority = await platforms.startAuthority();
  vault = await startVault({ auth: "enforced", handshakes: { trustedCertifierIssuers: [authority.origin] } });
  owner = await vault.createOwner();
  platform = await platforms.createPlatform(vault, authority);
});
after(async () => {
  await vault[Symbol.asyncDispose]();
  await authority[Symbol.asyncDispose]();
});

const judged = async (response: Response) => (await response.json()) as HandshakeAnswer;
const codeOf = async (response: Response) => ((await response.json()) as { error: { code: string } }).error.code;

test("a challenge is for the addressed owner, lives 120 s and is never cached; the body is optional [P-VER-020] [P-VER-022] [P-VER-024] [P-RES-001] [P-LIM-002]", async () => {
  for (const body of [undefined, {}, { deployment: "anything", audience: owner, more: 1 }]) {
    const response = await askChallenge(vault.url, owner, body);
    assert.deepEqual([response.status, response.headers.get("cache-control")], [200, "no-store"]);
    const challenge = (await response.json()) as Record<string, string>;
    assert.deepEqual(Object.keys(challenge).sort(), ["audience", "expiresAt", "issuedAt", "nonce"]);
    assert.match(challenge["nonce"] as string, /^[A-Za-z0-9_-]{43}$/);
    assert.equal(challenge["audience"], owner);
    assert.equal(Date.parse(challenge["expiresAt"] as string) - Date.parse(challenge["issuedAt"] as string), 120_000);
  }
  const bare = await fetch(`${vault.url}/pp-auth/challenge`, { method: "POST", headers: { "x-ename": owner } });
  assert.equal(bare.status, 200);
});

test("both calls address an owner: 400 without X-ENAME, 404 for one who has no vault here; a bad token is ignored [P-VER-021] [decision V2]", async () => {
  const stranger = parseEName("@99999999-9999-4999-8999-999999999999");
  for (const path of ["challenge", "verify"]) {
    const ask = (headers: Record<string, string>) =>
      fetch(`${vault.url}/pp-auth/${path}`, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: "{}",
      });
    assert.equal(await codeOf(await ask({})), "MISSING_ENAME");
    assert.equal(await codeOf(await ask({ "x-ename": stranger })), "UNKNOWN_ENAME");
    const withToken = await ask({ "x-ename": owner, authorization: "Bearer nonsense" });
    assert.equal(withToken.status, path === "challenge" ? 200 : 400);
    assert.equal((await fetch(`${vault.url}/pp-auth/${path}`, { headers: { "x-ename": owner } })).status, 405);
  }
  assert.equal(await codeOf(await askChallenge(vault.url, owner, { audience: stranger })), "AUDIENCE_NOT_SERVED");
});

test("a handshake that holds reports six links, the claim and a session; its answer cannot be sent again [P-VER-005] [P-RES-009] [P-SES-001] [P-SES-002] [P-ERR-004]", async () => {
  const answer = await answerTo(await askChallenge(vault.url, owner), platform);
  const response = await sendAnswer(vault.url, owner, answer);
  assert.deepEqual([response.status, response.headers.get("cache-control")], [200, "no-store"]);
  const { ok, links, claim, failedAt, session } = (await response.json()) as Awaited<ReturnType<typeof shakeHands>>;
  assert.deepEqual(
    links.map(({ id, code }) => [id, code]),
    LINK_IDS.map((id) => [id, "ok"]),
  );
  assert.deepEqual(
    [ok, failedAt, claim?.platform, claim?.domains],
    [true, null, platform.evidence.platformEname, ["social", "communication"]],
  );
  assert.match(session?.access_token ?? "", /^dss_[A-Za-z0-9_-]{43}$/);
  assert.deepEqual([session?.token_type, session?.expires_in], ["DPoP", 600]);
  const again = await judged(await sendAnswer(vault.url, owner, answer));
  assert.deepEqual([again.ok, again.claim, again.failedAt, again.session], [false, null, "possession", undefined]);
  assert.deepEqual(
    again.links.map(({ code }) => code),
    ["challenge_unknown", "ok", "ok", "ok", "ok", "ok"],
  );
});

test("an answer for another owner, and one to an expired challenge, fail possession and spend the challenge [P-VER-023] [P-LINK-030]", async () => {
  const other = await vault.createOwner();
  const answer = await answerTo(await askChallenge(vault.url, owner), platform);
  const elsewhere = await judged(await sendAnswer(vault.url, other, answer));
  assert.equal(elsewhere.links[0]?.code, "audience_mismatch");
  assert.equal((await judged(await sendAnswer(vault.url, owner, answer))).links[0]?.code, "challenge_unknown");
  const late = await answerTo(await askChallenge(vault.url, owner), platform);
  await vault.database.query({
    text: "update handshake_challenge set expires_at = now() - interval '1 s'",
    values: [],
  });
  assert.equal((await judged(await sendAnswer(vault.url, owner, late))).links[0]?.code !== "ok", true);
});

test("an invalid body is 400 and spends nothing; a large one is 413 [P-VER-028] [P-VER-029] [P-VER-030] [P-VER-032]", async () => {
  const answer = (await answerTo(await askChallenge(vault.url, owner), platform)) as Record<string, unknown>;
  let nested: unknown = 1;
  for (let depth = 0; depth < 16; depth += 1) nested = { nested };
  const bad = [
    [],
    7,
    null,
    {},
    { ...answer, challenge: "x" },
    { ...answer, evidence: [] },
    { ...answer, signature: 1 },
    { ...answer, nested },
  ];
  for (const body of bad) {
    const response = await sendAnswer(vault.url, owner, body);
    assert.deepEqual([response.status, await codeOf(response)], [400, "INVALID_REQUEST"]);
  }
  const headers = { "x-ename": owner, "content-type": "application/json" };
  const broken = await fetch(`${vault.url}/pp-auth/verify`, { method: "POST", headers, body: "{" });
  assert.deepEqual([broken.status, await codeOf(broken)], [400, "INVALID_REQUEST"]);
  const large = await sendAnswer(vault.url, owner, { ...answer, padding: "x".repeat(262_144) });
  assert.deepEqual([large.status, await codeOf(large)], [413, "PAYLOAD_TOO_LARGE"]);
  const text = await fetch(`${vault.url}/pp-auth/verify`, {
    method: "POST",
    headers: { "x-ename": owner, "content-type": "text/plain" },
    body: "{}",
  });
  assert.equal(text.status, 415);
  assert.equal((await judged(await sendAnswer(vault.url, owner, answer))).ok, true);
});

test("a removed wallet key ends the deployment at its next handshake [P-LINK-035]", async () => {
  const other = await platforms.createPlatform(vault, authority);
  assert.equal((await shakeHands(vault.url, owner, other)).ok, true);
  await vault.database.query({
    text: "update owner_key set removed_at = now() where owner = $1",
    values: [other.author.ename],
  });
  const { links } = await shakeHands(vault.url, owner, other);
  assert.deepEqual(
    links.filter(({ ok }) => !ok).map(({ id }) => id),
    ["deployment-authorised"],
  );
});

test("a session writes with a proof for each request, as its platform, and reaches only its domains [P-SES-004] [P-SES-006] [P-SES-008]", async () => {
  const session = (await shakeHands(vault.url, owner, platform)).session ?? assert.fail();
  const url = `${vault.url}/graphql`;
  const headers = await dpopHeaders(platform, session.access_token, { url });
  const note = { ontology: ONTOLOGY_ID.SocialMediaPost, payload: { text: "hello" }, acl: ["*"] };
  const { body } = await askGraphQL(vault, owner, DOCUMENTS.create, { input: note }, headers);
  assert.deepEqual(body.data.createMetaEnvelope.errors, []);
  const account = { ontology: ONTOLOGY_ID.Account, payload: { n: 1 }, acl: ["*"] };
  const fresh = await dpopHeaders(platform, session.access_token, { url });
  const refused = await askGraphQL(vault, owner, DOCUMENTS.create, { input: account }, fresh);
  assert.equal(refused.body.data.createMetaEnvelope.errors[0].code, "DOMAIN_NOT_CERTIFIED");
  const { rows } = await vault.database.query<{ token_hash: Buffer; claim: string }>({
    text: "select * from platform_session",
    values: [],
  });
  assert.ok(rows.every((row) => !JSON.stringify(row).includes(session.access_token)));
});

test("a bound session is refused as Bearer, with a proof used twice, of another key, method, address or token, and at another owner [P-SES-004] [P-SES-005] [P-SES-006]", async () => {
  const { access_token: token } = (await shakeHands(vault.url, owner, platform)).session ?? assert.fail();
  const other = await platforms.createPlatform(vault, authority);
  const theirs = (await shakeHands(vault.url, owner, other)).session ?? assert.fail();
  const stranger = await vault.createOwner();
  const url = `${vault.url}/graphql`;
  const logs = `${vault.url}/logs`;
  const get = (headers: Record<string, string>, of: EName = owner) =>
    fetch(logs, { headers: { "x-ename": of, ...headers } });
  const about = { method: "GET", url: logs };
  const good = await dpopHeaders(platform, token, about);
  assert.equal((await get(good)).status, 200);
  const bad: readonly (readonly [string, Record<string, string>, EName?])[] = [
    ["a second use", good],
    ["as Bearer", { authorization: `Bearer ${token}` }],
    ["as Bearer with a proof", { ...(await dpopHeaders(platform, token, about)), authorization: `Bearer ${token}` }],
    ["without a proof", { authorization: `DPoP ${token}` }],
    ["another method", await dpopHeaders(platform, token, { url: logs })],
    ["another address", await dpopHeaders(platform, token, { method: "GET", url })],
    ["another key", await dpopHeaders(other, token, about)],
    ["another token", { ...(await dpopHeaders(platform, theirs.access_token, about)), authorization: `DPoP ${token}` }],
    ["no token of ours", await dpopHeaders(platform, `dss_${"A".repeat(43)}`, about)],
    ["at another owner", await dpopHeaders(platform, token, about), stranger],
    ["no proof at all", { authorization: `DPoP ${token}`, dpop: "x.y.z" }],
  ];
  for (const [what, headers, of] of bad) assert.equal((await get(headers, of)).status, 401, what);
});

test("an unbound session is Bearer for 300 s; where binding is required it is not given and not taken [P-SES-003] [P-SES-007]", async () => {
  const session = (await shakeHands(vault.url, owner, platform, { tokenBinding: "none" })).session ?? assert.fail();
  assert.deepEqual([session.token_type, session.expires_in], ["Bearer", 300]);
  const headers = { "x-ename": owner, authorization: `Bearer ${session.access_token}` };
  assert.equal((await fetch(`${vault.url}/logs`, { headers })).status, 200);
  await using strict = await startVault(
    { auth: "enforced", handshakes: { trustedCertifierIssuers: [authority.origin], requireBinding: true } },
    vault,
  );
  assert.equal((await fetch(`${strict.url}/logs`, { headers })).status, 401);
  const { session: bound } = await shakeHands(strict.url, owner, platform, { tokenBinding: "none" });
  assert.equal(bound?.token_type, "DPoP");
});

test("a vault without a trusted authority answers 503, and one with a limit 429 [decision A1]", async () => {
  await using untrusting = await startVault({ auth: "enforced" }, vault);
  assert.equal(await codeOf(await askChallenge(untrusting.url, owner)), "HANDSHAKE_UNAVAILABLE");
  const handshakes = { trustedCertifierIssuers: [authority.origin], perAddress: 2 };
  await using limited = await startVault({ auth: "enforced", handshakes }, vault);
  const statuses = [];
  for (let left = 3; left > 0; left -= 1) statuses.push((await askChallenge(limited.url, owner)).status);
  assert.deepEqual(statuses, [200, 200, 429]);
});

test("100 challenges of one owner and address may be outstanding, exactly, however many are asked for at once [P-VER-033]", async () => {
  const busy = await vault.createOwner();
  const responses = await Promise.all(Array.from({ length: 120 }, () => askChallenge(vault.url, busy)));
  assert.equal(responses.filter(({ status }) => status === 200).length, 100);
  const refused = responses.find(({ status }) => status === 503) ?? assert.fail();
  assert.equal(await codeOf(refused), "CHALLENGE_STORE_FULL");
  assert.equal((await askChallenge(vault.url, owner)).status, 200);
});
