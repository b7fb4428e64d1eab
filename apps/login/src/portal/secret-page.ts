import { copyable, copyableBlock } from "@dataspace/ui/copyable";
import { notice } from "@dataspace/ui/state-mark";
import { html } from "hono/html";
import type { Html } from "@dataspace/ui/html";
import type { Page } from "@dataspace/ui/page";
import type { ClientWithSecret } from "../clients/manage-clients.ts";
import { crumbs, portalFrame } from "./portal-frame.ts";
import type { PortalSession } from "./portal-sessions.ts";
import { SECRET_TEXTS } from "./secret-texts.ts";

/**
 * Writes the one page that shows a secret: to copy, and to download as an `.env` file or as JSON. The files are in the page itself, so
 * the secret is in no second answer.
 *
 * Refuses: never. Source: S2 "Client" (shown once); decision L11.
 */
export function secretPage(session: PortalSession, { client, secret }: ClientWithSecret, issuer: string): Page {
  const { clientId, previousSecretEndsAt } = client;
  const settings = { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: secret };
  const env = Object.entries(settings)
    .map(([name, value]) => `${name}=${value}\n`)
    .join("");
  const json = `${JSON.stringify({ issuer, client_id: clientId, client_secret: secret }, null, 2)}\n`;
  return portalFrame(session, {
    title: SECRET_TEXTS.title,
    main: html`${crumbs(client)}<h1>${SECRET_TEXTS.heading}</h1>
${notice("warn", SECRET_TEXTS.once)}
${previousSecretEndsAt !== null && notice("plain", SECRET_TEXTS.previous)}
<section class="card"><dl class="facts"><dt>${SECRET_TEXTS.clientId.name}</dt><dd>${copyable(clientId, SECRET_TEXTS.clientId.copy)}</dd>
<dt>${SECRET_TEXTS.secret.name}</dt><dd>${copyable(secret, SECRET_TEXTS.secret.copy)}</dd></dl>
<div class="row">${download(`${clientId}.env`, "text/plain", env)}${download(`${clientId}.json`, "application/json", json)}</div>
<details><summary>${SECRET_TEXTS.variables.title}</summary>${copyableBlock(env, SECRET_TEXTS.variables.copy)}</details>
<a class="button" href="/portal/clients/${clientId}">${SECRET_TEXTS.saved}</a></section>`,
  });
}

function download(name: string, type: string, content: string): Html {
  const address = `data:${type};charset=utf-8,${encodeURIComponent(content)}`;
  return html`<a class="button quiet" href="${address}" download="${name}">${SECRET_TEXTS.download(name.endsWith(".env") ? ".env" : "JSON")}</a>`;
}
