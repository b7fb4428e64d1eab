import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeStatusList } from "@dataspace/platform-auth/status/status-list";
import { parseCompactJws } from "@dataspace/protocol/compact-jws";
import { isToken, readClaims } from "./support/read-token.ts";
import { ISSUER, PLATFORM, startTestAuthority } from "./support/start-test-authority.ts";

const DAY_SECONDS = 86_400;

test("a granted submission has a certificate of the submission, signed by a published key [S3] [decision A1]", async (t) => {
  const authority = await startTestAuthority(t);
  const id = await authority.submit();
  const { status, body } = await authority.grant(id, { validDays: 30, reason: "reviewed" });
  assert.deepEqual([status, body.status, body.decision.reason], [200, "granted", "reviewed"]);
  const claims = readClaims(body.certificate);
  const { iat, exp, jti, ...said } = claims;
  assert.deepEqual(said, {
    iss: ISSUER,
    sub: PLATFORM,
    version: "1.4.0",
    version_ename: claims["version_ename"],
    decision: "granted",
    level: "L3",
    domains: ["social"],
    submission_sha256: body.sha256,
    submitter: authority.author.ename,
    reviewed_by: authority.reviewer.ename,
    platform_name: "Notes",
    status: { status_list: { idx: 0, uri: `${ISSUER}/status/0` } },
  });
  assert.equal((exp as number) - (iat as number), 30 * DAY_SECONDS);
  const keys = (await authority.get("/.well-known/jwks.json")).body.keys;
  assert.ok(isToken(body.certificate, keys, "ds-cert+jwt"));
  assert.equal((await authority.get(`/certificates/${jti}`)).text, body.certificate);
  const query = `platform=${encodeURIComponent(PLATFORM)}&version=1.4.0`;
  assert.equal((await authority.get(`/certificates?${query}`)).text, body.certificate);
});

test("only a reviewer decides, and a wallet token decides once [decisions A6, I6]", async (t) => {
  const authority = await startTestAuthority(t);
  const [first, second] = [await authority.submit(), await authority.submit({ version: "2.0.0" })];
  const decision = { decision: "denied", reason: "no" };
  const codeOf = async (id: string, token?: string) =>
    (await authority.post(`/submissions/${id}/decision`, decision, token)).body.error?.code ?? "ok";
  assert.equal(await codeOf(first), "UNAUTHENTICATED");
  assert.equal(await codeOf(first, "not-a-token"), "INVALID_TOKEN");
  assert.equal(await codeOf(first, await authority.author.token()), "FORBIDDEN");
  const token = await authority.reviewer.token();
  assert.equal(await codeOf(first, token), "ok");
  assert.equal(await codeOf(second, token), "TOKEN_SPENT");
  assert.equal(await codeOf(first, await authority.reviewer.token()), "DECIDED");
});

test("a decision that cannot be carried out spends no token and leaves the submission open", async (t) => {
  const authority = await startTestAuthority(t);
  const id = await authority.submit();
  const token = await authority.reviewer.token();
  const cases: readonly (readonly [object, string])[] = [
    [{ decision: "granted", level: "L3", domains: ["finance"] }, "DOMAINS_NOT_REQUESTED"],
    [{ decision: "granted", level: "L9", domains: [] }, "BAD_REQUEST"],
    [{ decision: "granted", level: "L3", domains: ["social"], validDays: 367 }, "BAD_REQUEST"],
    [{ decision: "denied" }, "BAD_REQUEST"],
    [{ decision: "denied", reason: "a\0b" }, "BAD_REQUEST"],
    [{ decision: "maybe" }, "BAD_REQUEST"],
  ];
  for (const [decision, code] of cases) {
    const { body } = await authority.post(`/submissions/${id}/decision`, decision, token);
    assert.equal(body.error.code, code);
  }
  assert.equal((await authority.get(`/submissions/${id}`)).body.status, "pending");
  assert.equal((await authority.get("/log/checkpoint")).body.size, 0);
  const denied = await authority.post(`/submissions/${id}/decision`, { decision: "denied", reason: "no" }, token);
  assert.deepEqual([denied.status, denied.body.status, denied.body.certificate], [200, "denied", null]);
});

test("of 20 decisions at once about one submission, one is carried out and one certificate issued", async (t) => {
  const authority = await startTestAuthority(t);
  const id = await authority.submit();
  const answers = await Promise.all(Array.from({ length: 20 }, () => authority.grant(id)));
  const outcomes = answers.map(({ status, body }) => `${status} ${body.error?.code ?? ""}`).sort();
  assert.deepEqual(outcomes, ["200 ", ...Array.from({ length: 19 }, () => "409 DECIDED")]);
  assert.equal((await authority.get("/log/checkpoint")).body.size, 1);
});

test("a revoked certificate has its bit set in the signed status list, and is given out no more [decision A1]", async (t) => {
  const authority = await startTestAuthority(t);
  await authority.grant(await authority.submit({ version: "1.0.0" }));
  const { body } = await authority.grant(await authority.submit());
  const { jti } = readClaims(body.certificate);
  const statuses = async () => {
    const { text } = await authority.get("/status/0");
    const { header, payload } = parseCompactJws(text);
    assert.deepEqual([header.typ, payload["sub"]], ["statuslist+jwt", `${ISSUER}/status/0`]);
    assert.ok(isToken(text, (await authority.get("/.well-known/jwks.json")).body.keys, "statuslist+jwt"));
    const statusAt = decodeStatusList(payload["status_list"]);
    return [0, 1, 2].map((idx) => statusAt?.(idx));
  };
  assert.deepEqual(await statuses(), [0, 0, 0]);
  const revoke = async (token?: string, reason: unknown = "leaked") =>
    (await authority.post(`/certificates/${jti}/revoke`, { reason }, token)).body.error?.code ?? "ok";
  assert.equal(await revoke(), "UNAUTHENTICATED");
  assert.equal(await revoke(await authority.reviewer.token(), ""), "BAD_REQUEST");
  assert.equal(await revoke(await authority.reviewer.token()), "ok");
  assert.equal(await revoke(await authority.reviewer.token()), "REVOKED");
  assert.deepEqual(await statuses(), [0, 1, 0]);
  const query = `platform=${encodeURIComponent(PLATFORM)}&version=1.4.0`;
  assert.equal((await authority.get(`/certificates?${query}`)).status, 404);
  assert.deepEqual((await authority.get(`/submissions/${body.submissionId}`)).body.revoked, true);
});

test("a certificate is renewed from 30 days before its end, and given out only while it is in force; a revoked one is not renewed", async (t) => {
  const authority = await startTestAuthority(t);
  const id = await authority.submit();
  const first = await authority.grant(id, { validDays: 31, reason: "the first" });
  assert.equal((await authority.grant(id)).body.error.code, "DECIDED");
  authority.shift(DAY_SECONDS * 1000 + 1);
  const renewed = await authority.grant(id, { validDays: 31, reason: "the second" });
  assert.deepEqual([renewed.status, renewed.body.decision.reason], [200, "the first"]);
  assert.notEqual(renewed.body.certificateId, first.body.certificateId);
  const query = `platform=${encodeURIComponent(PLATFORM)}&version=1.4.0`;
  assert.equal((await authority.get(`/certificates?${query}`)).text, renewed.body.certificate);
  authority.shift(40 * DAY_SECONDS * 1000);
  assert.equal((await authority.get(`/certificates?${query}`)).status, 404);
  const last = (await authority.grant(id)).body.certificateId;
  await authority.post(`/certificates/${last}/revoke`, { reason: "x" }, await authority.reviewer.token());
  assert.equal((await authority.grant(id)).body.error.code, "DECIDED");
});

test("a version or a session with U+0000 is refused and asks no database [decision V25]", async (t) => {
  const authority = await startTestAuthority(t);
  const asked = await authority.get(`/certificates?platform=${encodeURIComponent(PLATFORM)}&version=1%004`);
  assert.deepEqual([asked.status, asked.body.error?.code], [400, "BAD_REQUEST"]);
  const answer = { ename: PLATFORM, session: "a\u0000b", signature: "s" };
  const posted = await authority.post("/review/callback", answer);
  assert.deepEqual([posted.status, posted.body.error?.code], [400, "BAD_REQUEST"]);
});

test("reviewers page through what is pending, the oldest first; nobody else sees the list", async (t) => {
  const authority = await startTestAuthority(t);
  assert.equal((await authority.get("/submissions")).status, 401);
  const ids: string[] = [];
  for (const version of ["1", "2", "3"]) ids.push(await authority.submit({ version }));
  const token = await authority.reviewer.token();
  const page = (await authority.get("/submissions?limit=2", token)).body;
  const rest = (await authority.get(`/submissions?limit=2&cursor=${page.nextCursor}`, token)).body;
  const listed = [...page.submissions, ...rest.submissions].map(
    ({ submissionId }: { submissionId: string }) => submissionId,
  );
  assert.deepEqual([listed, rest.nextCursor], [ids, null]);
  await authority.grant(ids[0] as string);
  assert.equal((await authority.get("/submissions", token)).body.submissions.length, 2);
});
