import { moment } from "@dataspace/ui/moment";
import { html } from "hono/html";
import type { Html } from "@dataspace/ui/html";
import type { Page } from "@dataspace/ui/page";
import type { LoginClient } from "../clients/client-rows.ts";
import { type ClientDraft, clientForm } from "./client-form.ts";
import { crumbs, portalFrame } from "./portal-frame.ts";
import type { PortalSession } from "./portal-sessions.ts";

/** Writes the list of a developer's clients. Refuses: never. Source: S2 "Endpoints" (`/portal`). */
export function clientListPage(session: PortalSession, clients: readonly LoginClient[], nowMs: number): Page {
  return portalFrame(session, {
    title: "Clients",
    main: html`<div class="head level"><h1>Clients</h1><a class="button" href="/portal/clients/new">New client</a></div>
${
  clients.length === 0
    ? html`<section class="card empty"><h2>No client yet</h2>
<p>A client is an identity provider or an application that offers "Log in with your wallet".</p>
<a class="button" href="/portal/clients/new">Create your first client</a></section>`
    : clients.map((client) => summary(client, nowMs))
}
<p class="muted">A script can create and change clients with the <a href="/portal/api">management API</a>.</p>`,
  });
}

function summary(client: LoginClient, nowMs: number): Html {
  return html`<section class="card"><h2><a href="/portal/clients/${client.clientId}">${client.name}</a></h2>
<dl class="facts"><dt>Client ID</dt><dd class="mono">${client.clientId}</dd>
<dt>Last used</dt><dd>${client.lastUsedAt === null ? "Never" : moment(client.lastUsedAt, nowMs)}</dd></dl></section>`;
}

/** Writes the form of a new client. Refuses: never. Source: decision L11. */
export function newClientPage(session: PortalSession, draft: ClientDraft): Page {
  return portalFrame(session, {
    title: "New client",
    main: html`${crumbs()}<h1>New client</h1>${clientForm(session, { draft, action: "/portal/clients", submit: "Create client" })}`,
  });
}
