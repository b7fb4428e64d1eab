import assert from "node:assert/strict";
import { test } from "node:test";
import { PLATFORM, startTestAuthority } from "./support/start-test-authority.ts";

test("a signed submission is pending, and sent again it is the same one [decisions A1, A6]", async (t) => {
  const authority = await startTestAuthority(t);
  const submission = await authority.sign();
  const first = await authority.post("/submissions", submission);
  assert.equal(first.status, 201);
  assert.deepEqual(Object.keys(first.body), ["submissionId", "sha256", "status", "receivedAt"]);
  assert.match(first.body.sha256, /^[\w-]{43}$/);
  const second = await authority.post("/submissions", submission);
  assert.deepEqual([second.status, second.body.submissionId], [201, first.body.submissionId]);
  const shown = (await authority.get(`/submissions/${first.body.submissionId}`)).body;
  assert.deepEqual([shown.status, shown.certificate, shown.statementText], ["pending", null, submission.statementText]);
});

test("a submission that its author did not sign, or not now, is refused with a code [decision A1]", async (t) => {
  const authority = await startTestAuthority(t);
  const other = await authority.addPerson("@66666666-6666-4666-8666-666666666666");
  const good = await authority.sign();
  const ofOther = await authority.sign({}, other);
  const certifiedForOther = JSON.stringify({ ename: other.ename, publicKey: good.publicKey });
  const unknown = JSON.stringify({ ...JSON.parse(good.statementText), extra: 1 });
  const early = new Date(Date.now() - 601_000).toISOString();
  const late = new Date(Date.now() + 90_000).toISOString();
  const cases: readonly (readonly [string, object, string])[] = [
    ["another payload", { ...good, payload: ofOther.payload }, "SIGNATURE_INVALID"],
    ["another signature", { ...good, signature: ofOther.signature }, "SIGNATURE_INVALID"],
    ["another key", { ...good, publicKey: ofOther.publicKey }, "SIGNATURE_INVALID"],
    ["another's certificate", { ...good, keyBindingCertificate: certifiedForOther }, "SIGNATURE_INVALID"],
    ["a changed text", { ...good, statementText: good.statementText.replace("1.4.0", "1.4.1") }, "SIGNATURE_INVALID"],
    ["an unknown member", { ...good, statementText: unknown }, "INVALID_SUBMISSION"],
    ["a member twice", { ...good, statementText: `{"type":"x",${good.statementText.slice(1)}` }, "INVALID_SUBMISSION"],
    ["a nonce with a control character", await authority.sign({ nonce: "a\0b" }), "INVALID_SUBMISSION"],
    ["a nonce of 129 characters", await authority.sign({ nonce: "n".repeat(129) }), "INVALID_SUBMISSION"],
    ["an old one", await authority.sign({ issuedAt: early }), "INVALID_SUBMISSION"],
    ["one of tomorrow", await authority.sign({ issuedAt: late }), "INVALID_SUBMISSION"],
    ["no signature", { ...good, signature: undefined }, "BAD_REQUEST"],
    ["a long text", { ...good, statementText: "x".repeat(16_385) }, "BAD_REQUEST"],
    ["a list", [good], "BAD_REQUEST"],
  ];
  for (const [name, submission, code] of cases) {
    const { status, body } = await authority.post("/submissions", submission);
    assert.deepEqual([status, body.error.code], [400, code], name);
  }
  assert.equal((await authority.database.query({ text: "select from submission", values: [] })).rowCount, 0);
});

test("a nonce serves one submission, and a version is certified with one text [decision A1]", async (t) => {
  const authority = await startTestAuthority(t);
  await authority.submit({ nonce: "n-1" });
  const again = await authority.post("/submissions", await authority.sign({ nonce: "n-1", releaseTag: "v1" }));
  assert.deepEqual([again.status, again.body.error.code], [409, "NONCE_SEEN"]);
  const rival = await authority.submit({ releaseTag: "rival" });
  const granted = await authority.submit({ releaseTag: "granted" });
  assert.equal((await authority.grant(granted)).status, 200);
  const second = await authority.grant(rival);
  assert.deepEqual([second.status, second.body.error.code], [409, "VERSION_IMMUTABLE"]);
  const late = await authority.post("/submissions", await authority.sign({ releaseTag: "late" }));
  assert.deepEqual([late.status, late.body.error.code], [409, "VERSION_IMMUTABLE"]);
});

test("a platform with a certified release accepts submissions of that author and of the platform only [decision A1]", async (t) => {
  const authority = await startTestAuthority(t);
  await authority.grant(await authority.submit());
  const stranger = await authority.addPerson("@66666666-6666-4666-8666-666666666666");
  const refused = await authority.post("/submissions", await authority.sign({ version: "1.5.0" }, stranger));
  assert.deepEqual([refused.status, refused.body.error.code], [403, "NOT_AUTHOR"]);
  await authority.submit({ version: "1.5.0" });
  await authority.submit({ version: "1.6.0" }, await authority.addPerson(PLATFORM));
});

test("an author has at most 20 pending submissions, however many are sent at once, and locks out nobody else [decision V25]", async (t) => {
  const authority = await startTestAuthority(t);
  const signed = await Promise.all(Array.from({ length: 40 }, (_none, n) => authority.sign({ version: `1.0.${n}` })));
  const answers = await Promise.all(signed.map((submission) => authority.post("/submissions", submission)));
  const outcomes = answers.map(({ status, body }) => `${status} ${body.error?.code ?? ""}`).sort();
  const expected = [
    ...Array.from({ length: 20 }, () => "201 "),
    ...Array.from({ length: 20 }, () => "429 TOO_MANY_PENDING"),
  ];
  assert.deepEqual(outcomes, expected);
  const rival = await authority.addPerson("@66666666-6666-4666-8666-666666666666");
  await authority.submit({ version: "2.0.0" }, rival);
});

test("the same text sent at once by many is one submission, and sent after a decision it says which [decision A1]", async (t) => {
  const authority = await startTestAuthority(t);
  const submission = await authority.sign();
  const answers = await Promise.all(Array.from({ length: 10 }, () => authority.post("/submissions", submission)));
  assert.deepEqual(new Set(answers.map(({ status, body }) => `${status} ${body.status}`)), new Set(["201 pending"]));
  const ids = new Set(answers.map(({ body }) => body.submissionId));
  assert.equal(ids.size, 1);
  const [id] = ids;
  await authority.post(
    `/submissions/${id}/decision`,
    { decision: "denied", reason: "no" },
    await authority.reviewer.token(),
  );
  assert.equal((await authority.post("/submissions", submission)).body.status, "denied");
});

test("a submission from before the platform had an author is not granted to another one; a revoked author holds nobody off [decision A1]", async (t) => {
  const authority = await startTestAuthority(t);
  const mallory = await authority.addPerson("@66666666-6666-4666-8666-666666666666");
  const planted = await authority.submit({ version: "9.9.0" }, mallory);
  const granted = (await authority.grant(await authority.submit())).body;
  const refused = await authority.grant(planted);
  assert.deepEqual([refused.status, refused.body.error.code], [403, "NOT_AUTHOR"]);
  const revoked = { reason: "an impostor" };
  await authority.post(`/certificates/${granted.certificateId}/revoke`, revoked, await authority.reviewer.token());
  assert.equal((await authority.grant(planted)).status, 200);
});

test("without the registry a submission is 503, nothing is stored, and the same text is taken later", async (t) => {
  let isUp = false;
  const authority = await startTestAuthority(t, { isRegistryUp: () => isUp });
  const submission = await authority.sign();
  const { status, body } = await authority.post("/submissions", submission);
  assert.deepEqual([status, body.error.code], [503, "REGISTRY_UNAVAILABLE"]);
  isUp = true;
  assert.equal((await authority.post("/submissions", submission)).status, 201);
});

test("submissions from one address are limited, and what names nothing is 404", async (t) => {
  const authority = await startTestAuthority(t, { limits: { perAddress: 0, submissions: 1, signIns: 0 } });
  await authority.submit();
  assert.equal((await authority.post("/submissions", await authority.sign())).status, 429);
  const paths = ["/submissions/x", `/submissions/${crypto.randomUUID()}`, "/certificates/x", "/status/1", "/nothing"];
  for (const path of [...paths, "/status/16382"]) assert.equal((await authority.get(path)).status, 404, path);
  assert.equal((await authority.get("/status/16383")).status, 400);
});
