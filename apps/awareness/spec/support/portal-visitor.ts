import assert from "node:assert/strict";
import type { Person, TestAwareness } from "./start-awareness.ts";

/** What a portal answered: its page, and where it leads. */
export interface Shown {
  readonly status: number;
  readonly headers: Headers;
  readonly location: string | null;
  readonly html: string;
}

/** A browser without scripts, as far as these tests need one: it keeps cookies and sends forms. */
export interface PortalVisitor {
  readonly open: (path: string) => Promise<Shown>;
  /** Sends a form, by default with the token of the last page's forms. */
  readonly send: (path: string, fields?: Record<string, string>, headers?: Record<string, string>) => Promise<Shown>;
}

/** Opens such a browser, signed in by nobody. */
export function createVisitor(url: string): PortalVisitor {
  const cookies = new Map<string, string>();
  let token = "";
  const ask = async (path: string, init: RequestInit): Promise<Shown> => {
    const cookie = [...cookies].map((pair) => pair.join("=")).join("; ");
    const response = await fetch(url + path, { ...init, redirect: "manual", headers: { ...init.headers, cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [name = "", value = ""] = (line.split(";")[0] ?? "").split("=");
      if (value === "") cookies.delete(name);
      else cookies.set(name, value);
    }
    const html = await response.text();
    token = /name="token" value="([^"]+)"/.exec(html)?.[1] ?? token;
    return { status: response.status, headers: response.headers, location: response.headers.get("location"), html };
  };
  return {
    open: (path) => ask(path, {}),
    send: (path, fields = {}, headers = { "sec-fetch-site": "same-origin" }) =>
      ask(path, { method: "POST", headers, body: new URLSearchParams({ token, ...fields }) }),
  };
}

/** Reads from a sign-in page what a wallet is to sign. */
export function sessionOn({ html }: Shown): string {
  const session = /ds:\/\/auth\?[^"]*session=([A-Za-z0-9_-]+)/.exec(html)?.[1];
  assert.ok(session, "the page shows what is to be signed");
  return session;
}

/** What a person's wallet sends for a session. */
export async function walletAnswer(person: Person, session: string): Promise<Record<string, string>> {
  return { ename: person.ename, session, signature: await person.sign(session), appVersion: "1.0.0" };
}

/** Signs a person in. */
export async function signIn(awareness: TestAwareness, person: Person): Promise<PortalVisitor> {
  const visitor = createVisitor(awareness.url);
  const session = sessionOn(await visitor.open("/portal/sign-in"));
  assert.equal((await awareness.ask("/portal/callback", { body: await walletAnswer(person, session) })).status, 200);
  assert.equal((await visitor.open("/portal/sign-in")).location, "/portal");
  await visitor.open("/portal/subscriptions");
  return visitor;
}
