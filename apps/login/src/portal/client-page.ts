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
import { CLIENT_TEXTS, CONNECTION_TEXTS } from "./client-texts.ts";
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
<section class="card"><h2>${CLIENT_TEXTS.claims.title}</h2>
<p>${CLIENT_TEXTS.claims.sub()}</p>
<p>${CLIENT_TEXTS.claims.email}</p>
<p>${CLIENT_TEXTS.claims.hint}</p></section>
${products(client, parts.issuer)}
<section class="card"><h2>${CLIENT_TEXTS.test.title}</h2><p>${CLIENT_TEXTS.test.text}</p>
<form method="post" action="${at}/test">${tokenField(session)}
${field({ name: "secret", label: CLIENT_TEXTS.test.secret, isRequired: true, maxLength: 128, hint: CLIENT_TEXTS.test.secretHint })}
<button>${CLIENT_TEXTS.test.submit}</button></form></section>
<section class="card"><h2>${CLIENT_TEXTS.change.title}</h2>${clientForm(session, { draft: parts.draft, action: at, submit: CLIENT_TEXTS.change.submit })}
${client.hasLogo && html`<form method="post" action="${at}/remove-logo">${tokenField(session)}<button class="quiet">${CLIENT_TEXTS.change.removeLogo}</button></form>`}</section>
${secrets(session, client, parts.nowMs)}
<section class="card"><h2>${CLIENT_TEXTS.delete.title}</h2><p>${CLIENT_TEXTS.delete.text}</p>
<form method="post" action="${at}/delete">${tokenField(session)}
${field({ name: "confirmation", label: CLIENT_TEXTS.delete.confirm(client.name), isRequired: true, fault: parts.deleteFault })}
<button class="danger">${CLIENT_TEXTS.delete.submit}</button></form></section>`,
  });
}

function problemNotice(problem: ClientProblem, nowMs: number): Html {
  return notice(
    "warn",
    html`<p>${CLIENT_TEXTS.problem({ ...problem, time: moment(problem.at, nowMs) })}</p><p>${adviceFor(problem)}</p>`,
  );
}

function connectionValues({ clientId, lastUsedAt }: LoginClient, { issuer, nowMs }: ClientPageParts): Html {
  return html`<section class="card"><h2>${CONNECTION_TEXTS.title}</h2><dl class="facts">
<dt>${CONNECTION_TEXTS.discovery.name}</dt><dd>${copyable(`${issuer}/.well-known/openid-configuration`, CONNECTION_TEXTS.discovery.copy)}</dd>
<dt>${CONNECTION_TEXTS.issuer.name}</dt><dd>${copyable(issuer, CONNECTION_TEXTS.issuer.copy)}</dd>
<dt>${CONNECTION_TEXTS.clientId.name}</dt><dd>${copyable(clientId, CONNECTION_TEXTS.clientId.copy)}</dd>
<dt>${CONNECTION_TEXTS.secret.name}</dt><dd>${CONNECTION_TEXTS.secret.value}</dd>
<dt>${CONNECTION_TEXTS.authentication.name}</dt><dd>${CONNECTION_TEXTS.authentication.value()}</dd>
<dt>${CONNECTION_TEXTS.pkce.name}</dt><dd>${CONNECTION_TEXTS.pkce.value()}</dd>
<dt>${CONNECTION_TEXTS.scopes}</dt><dd><code>openid profile email</code></dd>
<dt>${CONNECTION_TEXTS.signature.name}</dt><dd>${CONNECTION_TEXTS.signature.value(`${issuer}/jwks`)}</dd>
<dt>${CONNECTION_TEXTS.lastUsed}</dt><dd>${lastUsedAt === null ? CONNECTION_TEXTS.never : moment(lastUsedAt, nowMs)}</dd></dl></section>`;
}

function products({ clientId, redirectUris }: LoginClient, issuer: string): Html {
  const recipes = listRecipes({ issuer, clientId, redirectUri: redirectUris[0] ?? "" });
  return html`<section class="card"><h2>${CLIENT_TEXTS.products.title}</h2>
<p>${CLIENT_TEXTS.products.text("YOUR_CLIENT_SECRET")}</p>
${recipes.map(
  ({ product, settings, note }) => html`<details><summary>${product}</summary><div class="stack">
${note && html`<p>${note}</p>`}${copyableBlock(settings, CLIENT_TEXTS.products.copy(product))}</div></details>`,
)}</section>`;
}

function secrets(session: PortalSession, client: LoginClient, nowMs: number): Html {
  const at = `/portal/clients/${client.clientId}`;
  const endsAt = client.previousSecretEndsAt;
  const hasPrevious = endsAt !== null && Date.parse(endsAt) > nowMs;
  return html`<section class="card"><h2>${CLIENT_TEXTS.secret.title}</h2>
${
  hasPrevious &&
  html`<p>${CLIENT_TEXTS.secret.previous(moment(endsAt, nowMs))}</p>
<form method="post" action="${at}/end-previous-secret">${tokenField(session)}<button class="quiet">${CLIENT_TEXTS.secret.endPrevious}</button></form>`
}
<p>${CLIENT_TEXTS.secret.text}</p>
<form method="post" action="${at}/rotate">${tokenField(session)}<button class="quiet">${CLIENT_TEXTS.secret.create}</button></form></section>`;
}
