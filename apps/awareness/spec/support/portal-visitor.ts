import assert from "node:assert/strict";
import { findShownSession, openPageVisitor, type PageVisitor } from "@dataspace/service-kit/testing/page-visitor";
import type { Person, TestAwareness } from "./start-awareness.ts";

/** What a person's wallet sends for a session. */
export async function walletAnswer(person: Person, session: string): Promise<Record<string, string>> {
  return { ename: person.ename, session, signature: await person.sign(session), appVersion: "1.0.0" };
}

/** Signs a person in. */
export async function signIn(awareness: TestAwareness, person: Person): Promise<PageVisitor> {
  const visitor = openPageVisitor(awareness.url);
  const session = findShownSession(await visitor.open("/portal/sign-in"));
  assert.equal((await awareness.ask("/portal/callback", { body: await walletAnswer(person, session) })).status, 200);
  assert.equal((await visitor.open("/portal/sign-in")).location, "/portal");
  await visitor.open("/portal/subscriptions");
  return visitor;
}
