import assert from "node:assert/strict";
import { encodeBase64Url } from "@dataspace/protocol/base64url";
import { findShownSession, openPageVisitor, type PageVisitor } from "@dataspace/service-kit/testing/page-visitor";
import { parseWalletUri, type SignRequest } from "@dataspace/wallet/parse-wallet-uri";
import type { Answer, Person, TestAuthority } from "./start-test-authority.ts";

/** The form that grants the submission of these tests. */
export const GRANT = {
  decision: "granted",
  level: "L3",
  "domain:social": "on",
  validDays: "90",
  note: "",
  confirm: "on",
} as const;

/** Signs a text as a person's wallet does. */
export async function signAs({ key }: Person, text: string): Promise<string> {
  return encodeBase64Url(await key.sign(new TextEncoder().encode(text)));
}

/** Signs a person in, in a browser of their own. */
export async function signIn(authority: TestAuthority, person: Person): Promise<PageVisitor> {
  const visitor = openPageVisitor(authority.url);
  const session = findShownSession(await visitor.open("/review/sign-in"));
  const answer = { ename: person.ename, session, signature: await signAs(person, session) };
  assert.equal((await authority.post("/review/callback", answer)).status, 200);
  assert.equal((await visitor.open("/review/sign-in")).location, "/review/submissions");
  await visitor.open("/review/submissions");
  return visitor;
}

/** Sends a decision's form. Out: the path of the request's page, and what its wallet is asked. */
export async function askToSign(
  visitor: PageVisitor,
  path: string,
  fields: Record<string, string>,
): Promise<{ readonly at: string; readonly request: SignRequest }> {
  const sent = await visitor.send(path, fields);
  assert.equal(sent.status, 303, sent.html);
  const at = sent.location ?? "";
  const uri = /href="(ds:\/\/sign\?[^"]+)"/.exec((await visitor.open(at)).html)?.[1] ?? "";
  const request = parseWalletUri(uri.replaceAll("&amp;", "&"));
  assert.equal(request.kind, "sign");
  return { at, request: request as SignRequest };
}

/** Sends what a wallet answers to a request, some members replaced. */
export async function answerRequest(
  authority: TestAuthority,
  person: Person,
  { session, text }: SignRequest,
  change: object = {},
): Promise<Answer> {
  const answer = { sessionId: session, signature: await signAs(person, text), dsid: person.ename, message: text };
  return authority.post("/review/signature", { ...answer, ...change });
}
