import { moment } from "@dataspace/ui/moment";
import { html } from "hono/html";
import type { Html } from "@dataspace/ui/html";
import type { Page } from "@dataspace/ui/page";
import type { LoginClient } from "../clients/client-rows.ts";
import { type ClientDraft, clientForm } from "./client-form.ts";
import { CLIENT_LIST_TEXTS } from "./client-list-texts.ts";
import { crumbs, portalFrame } from "./portal-frame.ts";
import type { PortalSession } from "./portal-sessions.ts";

/** Writes the list of a developer's clients. Refuses: never. Source: S2 "Endpoints" (`/portal`). */
export function clientListPage(session: PortalSession, clients: readonly LoginClient[], nowMs: number): Page {
  return portalFrame(session, {
    title: CLIENT_LIST_TEXTS.title,
    main: html`<div class="head level"><h1>${CLIENT_LIST_TEXTS.title}</h1><a class="button" href="/portal/clients/new">${CLIENT_LIST_TEXTS.create}</a></div>
${
  clients.length === 0
    ? html`<section class="card empty"><h2>${CLIENT_LIST_TEXTS.none}</h2>
<p>${CLIENT_LIST_TEXTS.noneHint}</p>
<a class="button" href="/portal/clients/new">${CLIENT_LIST_TEXTS.createFirst}</a></section>`
    : clients.map((client) => summary(client, nowMs))
}
<p class="muted">${CLIENT_LIST_TEXTS.script("/portal/api")}</p>`,
  });
}

function summary(client: LoginClient, nowMs: number): Html {
  return html`<section class="card"><h2><a href="/portal/clients/${client.clientId}">${client.name}</a></h2>
<dl class="facts"><dt>${CLIENT_LIST_TEXTS.clientId}</dt><dd class="mono">${client.clientId}</dd>
<dt>${CLIENT_LIST_TEXTS.lastUsed}</dt><dd>${client.lastUsedAt === null ? CLIENT_LIST_TEXTS.never : moment(client.lastUsedAt, nowMs)}</dd></dl></section>`;
}

/** Writes the form of a new client. Refuses: never. Source: decision L11. */
export function newClientPage(session: PortalSession, draft: ClientDraft): Page {
  return portalFrame(session, {
    title: CLIENT_LIST_TEXTS.create,
    main: html`${crumbs()}<h1>${CLIENT_LIST_TEXTS.create}</h1>${clientForm(session, { draft, action: "/portal/clients", submit: CLIENT_LIST_TEXTS.submit })}`,
  });
}
