import { copyable, copyableBlock } from "@dataspace/ui/copyable";
import { notice } from "@dataspace/ui/state-mark";
import { html } from "hono/html";
import type { Html } from "@dataspace/ui/html";
import type { Page } from "@dataspace/ui/page";
import type { ClientWithSecret } from "../clients/manage-clients.ts";
import { crumbs, portalFrame } from "./portal-frame.ts";
import type { PortalSession } from "./portal-sessions.ts";

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
    title: "Client secret",
    main: html`${crumbs(client)}<h1>Save the client secret</h1>
${notice("warn", "The secret is shown this one time. Only its hash is stored.")}
${previousSecretEndsAt !== null && notice("plain", "The previous secret still works for 24 hours. Install the new one, then end the previous one.")}
<section class="card"><dl class="facts"><dt>Client ID</dt><dd>${copyable(clientId, "client ID")}</dd>
<dt>Client secret</dt><dd>${copyable(secret, "client secret")}</dd></dl>
<div class="row">${download(`${clientId}.env`, "text/plain", env)}${download(`${clientId}.json`, "application/json", json)}</div>
<details><summary>As environment variables</summary>${copyableBlock(env, "environment variables")}</details>
<a class="button" href="/portal/clients/${clientId}">I have saved it</a></section>`,
  });
}

function download(name: string, type: string, content: string): Html {
  const address = `data:${type};charset=utf-8,${encodeURIComponent(content)}`;
  return html`<a class="button quiet" href="${address}" download="${name}">Download ${name.endsWith(".env") ? ".env" : "JSON"}</a>`;
}
