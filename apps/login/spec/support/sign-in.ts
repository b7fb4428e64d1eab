import assert from "node:assert/strict";
import type { EName } from "@dataspace/protocol/ename";
import { ADA, type TestLogin } from "./start-login.ts";

/** What the portal answered: its page. */
export interface Shown {
  readonly answer: Response;
  readonly html: string;
}

/** A developer's browser at the portal. */
export interface Developer {
  readonly portal: string;
  readonly own: Record<string, string>;
  readonly get: (path: string) => Promise<Shown>;
  readonly send: (
    path: string,
    fields: Record<string, string | Blob>,
    headers?: Record<string, string>,
  ) => Promise<Shown>;
}

/** A client that was made, with its secret. */
export interface MadeClient extends Shown {
  readonly id: string;
  readonly secret: string;
}

/** Signs a developer in. Out: their browser at the portal. */
export async function signIn(login: TestLogin, ename: EName = ADA): Promise<Developer> {
  const page = await login.get("/portal/login");
  const cookie = (page.headers.getSetCookie()[0] ?? "").split(";")[0] ?? "";
  const html = await page.text();
  const [session, id] = [/session=([\w-]{43})/.exec(html)?.[1], /data-next="\/login\/([^"]+)"/.exec(html)?.[1]];
  assert.equal((await login.callback({ ename, session, signature: "good" })).status, 200);
  const led = await login.get(`/login/${id}`, { cookie });
  const portal = led.headers.getSetCookie()[0] ?? "";
  const own = { cookie: portal.split(";")[0] ?? "" };
  const get = async (path: string) => {
    const answer = await login.get(path, own);
    return { answer, html: await answer.text() };
  };
  const send = async (path: string, fields: Record<string, string | Blob>, headers: Record<string, string> = {}) => {
    const token = /name="token" value="([^"]+)"/.exec((await get("/portal")).html)?.[1] ?? "";
    const body = new FormData();
    for (const [name, value] of Object.entries({ token, ...fields })) body.append(name, value);
    const answer = await fetch(`${login.url}${path}`, {
      method: "POST",
      body,
      headers: { ...own, ...headers },
      redirect: "manual",
    });
    return { answer, html: await answer.text() };
  };
  return { portal, own, get, send };
}

/** A form of a new client. */
export const NEW = { name: "Notes", redirect_uris: "https://rp.example/callback" };

/** Sends the form of a new client. */
export async function create(developer: Developer, fields: Record<string, string | Blob> = {}): Promise<MadeClient> {
  const { answer, html } = await developer.send("/portal/clients", { ...NEW, ...fields });
  const [id, secret] = [...html.matchAll(/<code>([\w-]+)<\/code>/g)].map((match) => match[1] ?? "");
  return { answer, html, id: id ?? "", secret: secret ?? "" };
}
