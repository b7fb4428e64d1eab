import { copyable } from "@dataspace/ui/copyable";
import { checkbox, field } from "@dataspace/ui/field";
import { moment } from "@dataspace/ui/moment";
import { notice } from "@dataspace/ui/state-mark";
import { html } from "hono/html";
import type { Html } from "@dataspace/ui/html";
import type { Page } from "@dataspace/ui/page";
import type { LoginClient } from "../clients/client-rows.ts";
import type { PortalSession } from "./portal-sessions.ts";
import { listRecipes } from "./recipes.ts";

/** What a developer typed into the form of a client, and what is wrong with it. */
export interface ClientDraft {
  readonly name: string;
  readonly redirectUris: string;
  readonly requireEmail: boolean;
  readonly confirmLogin: boolean;
  readonly faults: Readonly<Partial<Record<"name" | "redirectUris" | "logo", string>>>;
}

/** An empty form. */
export const EMPTY_DRAFT: ClientDraft = {
  name: "",
  redirectUris: "",
  requireEmail: false,
  confirmLogin: false,
  faults: {},
};

/** Writes the list of a developer's clients. Refuses: never. Source: S2 "Endpoints" (`/portal`). */
export function listPage(session: PortalSession, clients: readonly LoginClient[], nowMs: number): Page {
  return frame(session, {
    title: "Clients",
    main: html`<div class="head level"><h1>Clients</h1><a class="button" href="/portal/clients/new">New client</a></div>
${
  clients.length === 0
    ? html`<section class="card empty"><h2>No client yet</h2>
<p>A client is an identity provider or an application that offers "Log in with your wallet".</p>
<a class="button" href="/portal/clients/new">Create your first client</a></section>`
    : clients.map((client) => summary(client, nowMs))
}`,
  });
}

function summary(client: LoginClient, nowMs: number): Html {
  return html`<section class="card"><h2><a href="/portal/clients/${client.clientId}">${client.name}</a></h2>
<dl class="facts"><dt>Client ID</dt><dd class="mono">${client.clientId}</dd>
<dt>Last used</dt><dd>${client.lastUsedAt === null ? "Never" : moment(client.lastUsedAt, nowMs)}</dd></dl></section>`;
}

/** Writes the form of a new client. Refuses: never. Source: decision L11. */
export function newClientPage(session: PortalSession, draft: ClientDraft): Page {
  return frame(session, {
    title: "New client",
    main: html`${crumbs()}<h1>New client</h1>${clientForm(session, { draft, action: "/portal/clients", submit: "Create client" })}`,
  });
}

/** Writes the one page that shows a secret. Refuses: never. Source: S2 "Client" (shown once); decision L11. */
export function secretPage(
  session: PortalSession,
  client: Pick<LoginClient, "clientId" | "name">,
  secret: string,
): Page {
  return frame(session, {
    title: "Client secret",
    main: html`${crumbs(client)}<h1>Save the client secret</h1>
${notice("warn", "The secret is shown this one time. Only its hash is stored.")}
<section class="card"><dl class="facts"><dt>Client ID</dt><dd>${copyable(client.clientId, "client ID")}</dd>
<dt>Client secret</dt><dd>${copyable(secret, "client secret")}</dd></dl>
<a class="button" href="/portal/clients/${client.clientId}">I have saved it</a></section>`,
  });
}

/** Writes a client's page: its connection values, recipes, and what can be changed. Refuses: never. Source: S2 "IdP connection values". */
export function clientPage(
  session: PortalSession,
  client: LoginClient,
  given: {
    readonly issuer: string;
    readonly draft: ClientDraft;
    readonly nowMs: number;
    readonly deleteFault?: string;
  },
): Page {
  const { issuer, draft } = given;
  const recipes = listRecipes({ issuer, clientId: client.clientId, redirectUri: client.redirectUris[0] ?? "" });
  const at = `/portal/clients/${client.clientId}`;
  return frame(session, {
    title: client.name,
    main: html`${crumbs()}<h1>${client.name}</h1>
<section class="card"><h2>Connection values</h2><dl class="facts">
<dt>Discovery URL</dt><dd>${copyable(`${issuer}/.well-known/openid-configuration`, "discovery URL")}</dd>
<dt>Issuer</dt><dd>${copyable(issuer, "issuer")}</dd>
<dt>Client ID</dt><dd>${copyable(client.clientId, "client ID")}</dd>
<dt>Client secret</dt><dd>Shown once, when it was made.</dd>
<dt>Client authentication</dt><dd><code>client_secret_basic</code> or <code>client_secret_post</code></dd>
<dt>PKCE</dt><dd>On, method <code>S256</code></dd>
<dt>Scopes</dt><dd><code>openid profile email</code></dd>
<dt>ID token signature</dt><dd><code>ES256</code>, checked against <code>${issuer}/jwks</code></dd>
<dt>Last used</dt><dd>${client.lastUsedAt === null ? "Never" : moment(client.lastUsedAt, given.nowMs)}</dd></dl></section>
<section class="card"><h2>Map the claims</h2>
<p>Identify users by <code>sub</code> and link accounts on it. Use <code>preferred_username</code> as the username.</p>
<p>Never link or merge accounts on the email: the user writes it, and nobody verified it.</p>
<p>An application behind your identity provider sees the eName only in the username claim. It must treat it as a hint, not as proof.</p></section>
<section class="card"><h2>Set up your product</h2>${recipes.map(
      ({ product, settings, note }) => html`<details><summary>${product}</summary><div class="stack">
${note && html`<p>${note}</p>`}<pre tabindex="0"><code>${settings}</code></pre></div></details>`,
    )}</section>
<section class="card"><h2>Change the client</h2>${clientForm(session, { draft, action: at, submit: "Save changes" })}</section>
<section class="card"><h2>New secret</h2><p>The present secret stops working at once.</p>
<form method="post" action="${at}/rotate">${tokenField(session)}<button class="quiet">Make a new secret</button></form></section>
<section class="card"><h2>Delete the client</h2><p>Nobody can log in through it any more.</p>
<form method="post" action="${at}/delete">${tokenField(session)}
${field({ name: "confirmation", label: `Type ${client.name} to confirm`, isRequired: true, fault: given.deleteFault })}
<button class="danger">Delete client</button></form></section>`,
  });
}

function clientForm(
  session: PortalSession,
  { draft, action, submit }: { readonly draft: ClientDraft; readonly action: string; readonly submit: string },
): Html {
  const { faults } = draft;
  return html`<form method="post" action="${action}" enctype="multipart/form-data">${tokenField(session)}
${field({ name: "name", label: "Name", value: draft.name, isRequired: true, maxLength: 64, hint: "People see it in their wallet and on the login page.", fault: faults.name })}
${field({ name: "redirect_uris", label: "Redirect URI", value: draft.redirectUris, isLong: true, isRequired: true, hint: "Your identity provider's callback address. One on a line, at most 10.", fault: faults.redirectUris })}
<div class="field"><label for="logo">Logo</label><input id="logo" name="logo" type="file" accept="image/png,image/jpeg,image/webp" aria-describedby="logo-hint">
<span class="hint" id="logo-hint">Optional. PNG, JPEG or WebP, at most 256 KiB.</span>${faults.logo && html`<span class="fault">${faults.logo}</span>`}</div>
${checkbox("require_email", "My identity provider requires an email address", draft.requireEmail)}
${checkbox("confirm_login", "People confirm each login on the login page", draft.confirmLogin)}
<button>${submit}</button></form>`;
}

/** Writes the page that a refused act leads to. Refuses: never. */
export function portalFaultPage(session: PortalSession | undefined, title: string, message: string): Page {
  const main = html`<h1>${title}</h1>${notice("bad", message)}<a href="/portal">To your clients</a>`;
  return session === undefined
    ? { title, part: "login", home: "/portal", isNarrow: true, main }
    : frame(session, { title, main });
}

function crumbs(client?: Pick<LoginClient, "clientId" | "name">): Html {
  return html`<nav class="crumbs" aria-label="Path"><a href="/portal">Clients</a>${
    client && html` / <a href="/portal/clients/${client.clientId}">${client.name}</a>`
  }</nav>`;
}

function tokenField({ formToken }: PortalSession): Html {
  return html`<input type="hidden" name="token" value="${formToken}">`;
}

/** Every page names the signed-in eName in full (decision L11). */
function frame(session: PortalSession, { title, main }: { readonly title: string; readonly main: Html }): Page {
  return {
    title,
    part: "login",
    home: "/portal",
    who: html`<span class="mono">${session.ename}</span><form method="post" action="/portal/logout" class="inline">${tokenField(session)}<button class="quiet">Sign out</button></form>`,
    main,
  };
}
