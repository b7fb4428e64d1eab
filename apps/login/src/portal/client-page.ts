import { copyable, copyableBlock } from "@dataspace/ui/copyable";
import { field } from "@dataspace/ui/field";
import { moment } from "@dataspace/ui/moment";
import { notice } from "@dataspace/ui/state-mark";
import { html } from "hono/html";
import type { Html } from "@dataspace/ui/html";
import type { Page } from "@dataspace/ui/page";
import { adviceFor, type ClientProblem } from "../clients/client-problems.ts";
import type { LoginClient } from "../clients/client-rows.ts";
import { type ClientDraft, clientForm } from "./client-form.ts";
import { crumbs, portalFrame, tokenField } from "./portal-frame.ts";
import type { PortalSession } from "./portal-sessions.ts";
import { listRecipes } from "./recipes.ts";

/** What the page of a client shows beside the client itself. */
export interface ClientPageParts {
  readonly issuer: string;
  readonly draft: ClientDraft;
  readonly nowMs: number;
  /** The last request of the client that was refused. */
  readonly problem: ClientProblem | undefined;
  readonly deleteFault?: string;
}

/** Writes a client's page: connection values, settings by product, a test, and what can be changed. Refuses: never. Source: S2 "IdP connection values". */
export function clientPage(session: PortalSession, client: LoginClient, parts: ClientPageParts): Page {
  const at = `/portal/clients/${client.clientId}`;
  return portalFrame(session, {
    title: client.name,
    main: html`${crumbs()}<h1>${client.name}</h1>
${parts.problem && problemNotice(parts.problem, parts.nowMs)}
${connectionValues(client, parts)}
<section class="card"><h2>Map the claims</h2>
<p>Identify users by <code>sub</code> and link accounts on it. Use <code>preferred_username</code> as the username.</p>
<p>Never link or merge accounts on the email: the user writes it, and nobody verified it.</p>
<p>An application behind your identity provider sees the eName only in the username claim. It must treat it as a hint, not as proof.</p></section>
${products(client, parts.issuer)}
<section class="card"><h2>Test connection</h2><p>Runs a real login with this client's values and names the first fault. You sign it with your wallet.</p>
<form method="post" action="${at}/test">${tokenField(session)}
${field({ name: "secret", label: "Client secret", isRequired: true, maxLength: 128, hint: "The secret that you saved. The test deletes it after 10 minutes." })}
<button>Test connection</button></form></section>
<section class="card"><h2>Change the client</h2>${clientForm(session, { draft: parts.draft, action: at, submit: "Save changes" })}
${client.hasLogo && html`<form method="post" action="${at}/remove-logo">${tokenField(session)}<button class="quiet">Remove the logo</button></form>`}</section>
${secrets(session, client, parts.nowMs)}
<section class="card"><h2>Delete the client</h2><p>After this, nobody can log in through it.</p>
<form method="post" action="${at}/delete">${tokenField(session)}
${field({ name: "confirmation", label: `Type ${client.name} to confirm`, isRequired: true, fault: parts.deleteFault })}
<button class="danger">Delete client</button></form></section>`,
  });
}

function problemNotice(problem: ClientProblem, nowMs: number): Html {
  return notice(
    "warn",
    html`<p><strong>The last request of your identity provider was refused</strong>, ${moment(problem.at, nowMs)}: <code>${problem.error}</code> (${problem.description}).</p><p>${adviceFor(problem)}</p>`,
  );
}

function connectionValues({ clientId, lastUsedAt }: LoginClient, { issuer, nowMs }: ClientPageParts): Html {
  return html`<section class="card"><h2>Connection values</h2><dl class="facts">
<dt>Discovery URL</dt><dd>${copyable(`${issuer}/.well-known/openid-configuration`, "discovery URL")}</dd>
<dt>Issuer</dt><dd>${copyable(issuer, "issuer")}</dd>
<dt>Client ID</dt><dd>${copyable(clientId, "client ID")}</dd>
<dt>Client secret</dt><dd>Shown once, when it was created.</dd>
<dt>Client authentication</dt><dd><code>client_secret_basic</code> or <code>client_secret_post</code></dd>
<dt>PKCE</dt><dd>On, method <code>S256</code></dd>
<dt>Scopes</dt><dd><code>openid profile email</code></dd>
<dt>ID token signature</dt><dd><code>ES256</code>, checked against <code>${issuer}/jwks</code></dd>
<dt>Last used</dt><dd>${lastUsedAt === null ? "Never" : moment(lastUsedAt, nowMs)}</dd></dl></section>`;
}

function products({ clientId, redirectUris }: LoginClient, issuer: string): Html {
  const recipes = listRecipes({ issuer, clientId, redirectUri: redirectUris[0] ?? "" });
  return html`<section class="card"><h2>Set up your product</h2>
<p>Each block holds this client's values. Replace <code>YOUR_CLIENT_SECRET</code> with the secret that you saved.</p>
${recipes.map(
  ({ product, settings, note }) => html`<details><summary>${product}</summary><div class="stack">
${note && html`<p>${note}</p>`}${copyableBlock(settings, `settings for ${product}`)}</div></details>`,
)}</section>`;
}

function secrets(session: PortalSession, client: LoginClient, nowMs: number): Html {
  const at = `/portal/clients/${client.clientId}`;
  const endsAt = client.previousSecretEndsAt;
  const hasPrevious = endsAt !== null && Date.parse(endsAt) > nowMs;
  return html`<section class="card"><h2>Client secret</h2>
${
  hasPrevious &&
  html`<p>The previous secret still works and ends ${moment(endsAt, nowMs)}.</p>
<form method="post" action="${at}/end-previous-secret">${tokenField(session)}<button class="quiet">End the previous secret now</button></form>`
}
<p>A new secret works at once. The present one keeps working for 24 hours, so that logins go on while you install the new one.</p>
<form method="post" action="${at}/rotate">${tokenField(session)}<button class="quiet">Create a new secret</button></form></section>`;
}
