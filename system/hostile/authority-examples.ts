import type { BodyExample } from "./operation.ts";
import type { RouteExample, RouteExamples } from "./route-example.ts";
import type { Scene } from "./scene.ts";

const json = (value: BodyExample["value"]): BodyExample => ({ kind: "json", value, fixed: [] });
/** An id of nothing. */
const NOWHERE = "8d3f5a52-6c1e-4e0b-9d57-2b1f0c9a7e64";

/** The examples of the certifying authority's routes. Refuses: never. Source: decision A1. */
export function authorityExamples({ spare, publicKey, review }: Scene): RouteExamples {
  const reviewer = { callers: ["nobody", "forger", "owner"] } as const;
  const statement = {
    type: "ds.ppa.release-submission",
    schemaVersion: 1,
    repositoryId: 7,
    repository: "https://git.example/notes",
    platformEName: spare,
    platformName: "Notes",
    releaseTag: "v1.0.0",
    version: "1.0.0",
    manifestCommitId: "a".repeat(40),
    domains: ["social"],
    signerEName: spare,
    issuedAt: "2026-11-22T09:00:00.000Z",
    nonce: "a-nonce",
  };
  const submission = {
    statementText: JSON.stringify(statement),
    payload: `gitforge:ppa:v1:${"a".repeat(43)}`,
    signature: "a".repeat(86),
    publicKey,
    keyBindingCertificate: "a.b.c",
  };
  return {
    "GET /": {},
    "GET /healthz": {},
    "GET /.well-known/jwks.json": {},
    "GET /docs": {},
    "GET /openapi.json": {},
    "POST /submissions": { body: json(submission) },
    "GET /submissions": { ...reviewer, query: { limit: "10", cursor: NOWHERE } },
    "GET /submissions/:id": { params: { id: NOWHERE } },
    "POST /submissions/:id/decision": {
      ...reviewer,
      params: { id: NOWHERE },
      body: json({ decision: "granted", level: "L2", domains: ["social"], validDays: 30, reason: "reviewed" }),
    },
    "GET /certificates": { query: { platform: spare, version: "1.0.0" } },
    "GET /certificates/:jti": { params: { jti: NOWHERE } },
    "POST /certificates/:jti/revoke": { ...reviewer, params: { jti: NOWHERE }, body: json({ reason: "leaked" }) },
    "GET /status/:list": { params: { list: "0" } },
    ...reviewExamples(review, spare),
    "GET /log/checkpoint": {},
    "GET /log/entries": { query: { from: "0", limit: "10" } },
    "GET /log/reviews": { query: { from: "0", limit: "10" } },
    "GET /log/proof": { query: { leaf: "0", size: "1" } },
    "GET /log/consistency": { query: { earlier: "1", size: "1" } },
  };
}

/** The pages of reviewers, seen by one who is signed in. */
function reviewExamples({ cookie, formToken }: Scene["review"], spare: string): RouteExamples {
  const visitor = { headers: { Cookie: cookie } };
  const form = (fields: Readonly<Record<string, string>>): RouteExample => ({
    ...visitor,
    body: { kind: "form", value: { token: formToken, ...fields }, fixed: ["token"] },
  });
  const signed = { ename: spare, session: "a".repeat(43), signature: "a".repeat(86) };
  const grant = { decision: "granted", level: "L2", "domain:social": "on", validDays: "30", note: "", confirm: "on" };
  const bySession = { params: { session: "a".repeat(43) } };
  return {
    "GET /review": visitor,
    "GET /review/sign-in": {},
    "GET /review/signed": {},
    "GET /review/refused": { query: { ename: spare } },
    "POST /review/callback": { body: json(signed) },
    "GET /review/callback/state": {},
    "GET /review/callback/events": {},
    "GET /deeplink-login": { query: signed },
    // Without the token, so that the visit of these examples does not end.
    "POST /review/sign-out": { ...visitor, body: { kind: "form", value: { token: "a" }, fixed: [] } },
    "POST /review/signature": {
      body: json({ sessionId: "a".repeat(43), signature: "a".repeat(86), dsid: spare, message: "ds:review:v1:a" }),
    },
    "GET /review/submissions": { ...visitor, query: { show: "decided", after: NOWHERE } },
    "GET /review/submissions/:id": { ...visitor, params: { id: NOWHERE } },
    "POST /review/submissions/:id/decision": { ...form(grant), params: { id: NOWHERE } },
    "GET /review/certificates": { ...visitor, query: { before: "7" } },
    "GET /review/certificates/:jti": { ...visitor, params: { jti: NOWHERE } },
    "POST /review/certificates/:jti/revoke": {
      ...form({ reason: "leaked", confirmation: "1.0.0" }),
      params: { jti: NOWHERE },
    },
    "GET /review/requests/:session": { ...visitor, ...bySession },
    "GET /review/log": { ...visitor, query: { before: "0" } },
  };
}
