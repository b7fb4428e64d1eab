import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createVerifyEcdsa } from "@dataspace/clients/verify-ecdsa";
import { reviewDigest, type SignedReview } from "@dataspace/platform-auth/log/signed-review";
import { verifyReviews } from "@dataspace/platform-auth/log/verify-reviews";
import { canonical } from "@dataspace/protocol/canonical-json";
import { signedPayload } from "@dataspace/protocol/signed-payload";
import { answerRequest, askToSign, GRANT, signAs, signIn } from "./support/review-visitor.ts";
import { ISSUER, type Person, startTestAuthority, type TestAuthority } from "./support/start-test-authority.ts";

/** One entry and what was signed under it. */
interface Logged {
  readonly entry: string;
  readonly review: SignedReview | null;
}

const AFTER_TOKENS_MS = 13 * 60_000;
const ended: (() => unknown)[] = [];
const life = { after: (end: () => unknown) => ended.push(end) } as unknown as Parameters<typeof startTestAuthority>[0];
let authority: TestAuthority;
let rival: Person;
/** A grant and a revocation signed in the pages, then a grant by the API. */
let log: readonly Logged[];

before(async () => {
  authority = await startTestAuthority(life);
  rival = await authority.addPerson("@77777777-7777-4777-8777-777777777777");
  const { reviewer } = authority;
  const visitor = await signIn(authority, reviewer);
  const id = await authority.submit({ version: "1.0.0" });
  const grant = await askToSign(visitor, `/review/submissions/${id}/decision`, { ...GRANT, note: "reviewed" });
  assert.equal((await answerRequest(authority, reviewer, grant.request)).status, 200);
  const { certificateId } = (await authority.get(`/submissions/${id}`)).body;
  const form = { reason: "leaked", confirmation: "1.0.0" };
  const revocation = await askToSign(visitor, `/review/certificates/${certificateId}/revoke`, form);
  assert.equal((await answerRequest(authority, reviewer, revocation.request)).status, 200);
  await authority.grant(await authority.submit({ version: "1.1.0" }));
  log = await readLog();
});
after(async () => {
  for (const end of ended.reverse()) await end();
});

async function readLog(): Promise<readonly Logged[]> {
  const entries: string[] = (await authority.get("/log/entries")).body.entries;
  authority.shift(AFTER_TOKENS_MS);
  const reviews: (SignedReview | null)[] = (await authority.get("/log/reviews")).body.reviews;
  authority.shift(0);
  return entries.map((entry, idx) => ({ entry, review: reviews[idx] ?? null }));
}

// The registry of these tests writes a certificate as the JSON of its claims.
async function verdictsOf(logged: readonly Logged[], issuer = ISSUER): Promise<readonly string[]> {
  const verifyRegistryToken = async (token: string) => ({ payload: JSON.parse(token) });
  const [entries, reviews] = [logged.map(({ entry }) => entry), logged.map(({ review }) => review)];
  const deps = { verifyRegistryToken, verifyEcdsa: createVerifyEcdsa() };
  const verdicts = await verifyReviews(deps, { issuer, entries, reviews });
  return verdicts.map((verdict) => ("fault" in verdict ? verdict.fault : verdict.proves));
}

/** Changes an entry and its review as an authority could that lies: the entry's digest is that of the review. */
function forge({ entry, review }: Logged, change: Partial<SignedReview>, entryChange: object = {}): Logged {
  const forged = { ...(review as SignedReview), ...change };
  const text = canonical({ ...JSON.parse(entry), ...entryChange, review_sha256: reviewDigest(forged) });
  return { entry: text, review: forged };
}

/** What a person's wallet signs for a statement that is changed. */
async function signChanged({ review }: Logged, person: Person, change: object): Promise<Partial<SignedReview>> {
  const statement = canonical({ ...JSON.parse(review?.statement ?? ""), ...change });
  const payload = await signedPayload("review", statement);
  return { statement, payload, signature: await signAs(person, payload) };
}

/** A person's key, as the registry certifies it for an eName. */
function keyOf({ key }: Person, { ename }: Pick<Person, "ename">, ageSeconds = 0): Partial<SignedReview> {
  const iat = Math.floor(Date.now() / 1000) - ageSeconds;
  const claims = { ename, publicKey: key.publicKey, iat, exp: iat + 3_600 };
  return { publicKey: key.publicKey, keyBindingCertificate: JSON.stringify(claims) };
}

test("everybody can verify who signed each entry of the log, and what exactly [decisions A1, A6]", async () => {
  assert.deepEqual(await verdictsOf(log), ["decision", "decision", "permission"]);
  const [granted, revoked, byApi] = log.map(({ review }) => review);
  const said = JSON.parse(granted?.statement ?? "");
  assert.deepEqual([said.decision, said.level, said.reason], ["granted", "L3", "reviewed"]);
  assert.equal(JSON.parse(revoked?.statement ?? "").reason, "leaked");
  for (const review of [granted, revoked, byApi]) assert.equal(review?.reviewer, authority.reviewer.ename);
  assert.equal(byApi?.statement, null);
});

test("a wallet token is not shown while it can be used [decision I6]", async () => {
  const now = (await authority.get("/log/reviews")).body.reviews;
  assert.deepEqual([now.length, now[2], now[0] === null], [3, null, false]);
  const page = (await authority.get("/log/reviews?from=1&limit=1")).body;
  assert.deepEqual([page.from, page.reviews], [1, [log[1]?.review]]);
  for (const path of ["/log/reviews?limit=101", "/log/reviews?from=-1", "/log/reviews?limit=0"])
    assert.equal((await authority.get(path)).body.error.code, "BAD_REQUEST", path);
});

test("a denial stores what was signed, and is in no log; a decision that is refused stores nothing", async () => {
  const { reviewer } = authority;
  const rows = async (subject: string) =>
    (
      await authority.database.query<{ statement: string; log_idx: number | null }>({
        text: "select statement, log_idx from signed_review where subject = $1::uuid",
        values: [subject],
      })
    ).rows;
  const id = await authority.submit({ version: "9.0.0" });
  const visitor = await signIn(authority, reviewer);
  const denial = { decision: "denied", reason: "unknown author" };
  const first = await askToSign(visitor, `/review/submissions/${id}/decision`, denial);
  const second = await askToSign(visitor, `/review/submissions/${id}/decision`, GRANT);
  assert.equal((await answerRequest(authority, reviewer, first.request)).status, 200);
  assert.equal((await answerRequest(authority, reviewer, second.request)).status, 409);
  const [stored, ...more] = await rows(id);
  assert.deepEqual(
    [more.length, stored?.log_idx, JSON.parse(stored?.statement ?? "").reason],
    [0, null, "unknown author"],
  );
  assert.equal((await authority.get("/log/checkpoint")).body.size, 3);
});

test("a log with another decision, another reviewer's signature or one for another submission is refused [decisions A1, A6]", async () => {
  const [granted, revoked, byApi] = log as readonly [Logged, Logged, Logged];
  const { reviewer } = authority;
  const other = await signChanged(granted, reviewer, { submission_sha256: "a".repeat(43) });
  const raised = await signChanged(granted, rival, { level: "L5" });
  const token = async (person: Person) => {
    const text = await person.token();
    return { payload: text.slice(0, text.lastIndexOf(".")), signature: text.slice(text.lastIndexOf(".") + 1) };
  };
  const cases: readonly (readonly [string, Logged, string])[] = [
    ["another entry", { ...granted, entry: granted.entry.replace(`"L3"`, `"L5"`) }, "statement_mismatch"],
    ["more domains", forge(granted, {}, { domains: ["files", "social"] }), "statement_mismatch"],
    ["a longer life", forge(granted, {}, { exp: JSON.parse(granted.entry).exp + 86_400 }), "statement_mismatch"],
    ["another review", { ...granted, review: revoked.review }, "review_altered"],
    ["another review, named", forge(granted, revoked.review as SignedReview), "statement_mismatch"],
    ["another submission", forge(granted, other), "statement_mismatch"],
    ["another certificate", forge(revoked, {}, { jti: crypto.randomUUID() }), "statement_mismatch"],
    ["a signature too late", forge(revoked, {}, { at: JSON.parse(revoked.entry).at + 3_600 }), "statement_mismatch"],
    ["another digest", forge(granted, { statement: raised.statement ?? "" }, { level: "L5" }), "statement_mismatch"],
    ["another's signature", forge(granted, raised, { level: "L5" }), "signature_invalid"],
    [
      "another's key",
      forge(granted, { ...raised, ...keyOf(rival, rival) }, { level: "L5" }),
      "key_certificate_invalid",
    ],
    ["another key", forge(granted, { publicKey: rival.key.publicKey }), "key_certificate_invalid"],
    ["an old certificate", forge(granted, keyOf(reviewer, reviewer, 90_000)), "key_certificate_invalid"],
    ["another reviewer", forge(granted, { ...keyOf(rival, rival), reviewer: rival.ename }), "statement_mismatch"],
    ["another's token", forge(byApi, await token(rival)), "statement_mismatch"],
    ["a token by another key", forge(byApi, { signature: (await token(rival)).signature }), "signature_invalid"],
    ["no statement", forge(granted, { statement: null }), "statement_mismatch"],
    ["a statement that is a list", forge(granted, { statement: "[]" }), "statement_mismatch"],
    ["no review", { ...granted, review: null }, "review_missing"],
    ["an entry without a digest", { ...granted, entry: `{"at":1,"jti":"a","type":"revoked"}` }, "review_missing"],
    ["no entry", { ...granted, entry: "{}" }, "entry_unreadable"],
    ["no JSON", { ...granted, entry: "granted" }, "entry_unreadable"],
  ];
  for (const [what, logged, fault] of cases) assert.deepEqual(await verdictsOf([logged]), [fault], what);
  assert.deepEqual(await verdictsOf([granted, byApi], "https://other.example"), Array(2).fill("statement_mismatch"));
  assert.deepEqual(await verdictsOf([granted, granted, byApi, byApi]), [
    ...["decision", "review_repeated"],
    ...["permission", "review_repeated"],
  ]);
});
