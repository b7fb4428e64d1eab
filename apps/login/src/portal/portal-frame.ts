import { notice } from "@dataspace/ui/state-mark";
import { html } from "hono/html";
import type { Html } from "@dataspace/ui/html";
import type { Page } from "@dataspace/ui/page";
import type { LoginClient } from "../clients/client-rows.ts";
import type { PortalSession } from "./portal-sessions.ts";
import { PORTAL_TEXTS } from "./portal-texts.ts";

/** What a page of the portal says. */
export type PortalPage = Pick<Page, "title" | "main" | "refreshSeconds">;

/** Puts a page into the frame of a signed-in developer, whose eName it shows in full. Refuses: never. Source: decision L11. */
export function portalFrame(session: PortalSession, page: PortalPage): Page {
  return {
    ...page,
    part: "login",
    home: "/portal",
    who: html`<span class="mono">${session.ename}</span><form method="post" action="/portal/logout" class="inline">${tokenField(session)}<button class="quiet">${PORTAL_TEXTS.signOut}</button></form>`,
  };
}

/** Writes the page that a refused act leads to. Refuses: never. */
export function portalFaultPage(session: PortalSession | undefined, title: string, message: string): Page {
  const main = html`<h1>${title}</h1>${notice("bad", message)}<a href="/portal">${PORTAL_TEXTS.back}</a>`;
  return session === undefined
    ? { title, part: "login", home: "/portal", isNarrow: true, main }
    : portalFrame(session, { title, main });
}

/** Shows the way back from a page of a client. Refuses: never. */
export function crumbs(client?: Pick<LoginClient, "clientId" | "name">): Html {
  return html`<nav class="crumbs" aria-label="${PORTAL_TEXTS.path}"><a href="/portal">${PORTAL_TEXTS.clients}</a>${
    client && html` / <a href="/portal/clients/${client.clientId}">${client.name}</a>`
  }</nav>`;
}

/** The hidden field that shows that a form is the session's own. Refuses: never. Source: T-71. */
export function tokenField({ formToken }: PortalSession): Html {
  return html`<input type="hidden" name="token" value="${formToken}">`;
}
