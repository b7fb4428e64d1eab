import { qrCode } from "@dataspace/ui/qr-code";
import { notice, stateMark } from "@dataspace/ui/state-mark";
import { html } from "hono/html";
import type { Html } from "@dataspace/ui/html";
import type { Page } from "@dataspace/ui/page";
import type { LoginClient } from "../clients/client-rows.ts";
import type { ConnectionTest, TestStep } from "./connection-test.ts";
import { crumbs, portalFrame } from "./portal-frame.ts";
import type { PortalSession } from "./portal-sessions.ts";

const LOOK_SECONDS = 2;

/** Writes the page of a connection test: the code to sign while it waits, then each step with the first fault. Refuses: never. */
export function connectionTestPage(session: PortalSession, client: LoginClient, test: ConnectionTest): Page {
  const isWaiting = "started" in test;
  const address = `/portal/clients/${client.clientId}/test`;
  return portalFrame(session, {
    title: "Test connection",
    ...(isWaiting ? { refreshSeconds: LOOK_SECONDS } : {}),
    main: html`${crumbs(client)}<h1>Test connection</h1>
${isWaiting ? html`<ds-live id="test" from="${address}" every="${LOOK_SECONDS}">${waiting(test.started.walletUri)}${list(test.steps)}</ds-live>` : html`<div class="stack" id="test">${result(test.steps)}${list(test.steps)}</div>`}
<a href="/portal/clients/${client.clientId}">Back to the client</a>`,
  });
}

function waiting(walletUri: string): Html {
  return html`<section class="card"><h2>Log in with your wallet</h2>
<p>This is a real login of your client. Sign it as a person would; this page then shows what your identity provider receives.</p>
${qrCode(walletUri, "Login code for your wallet")}<a class="button" href="${walletUri}">Open in wallet</a></section>`;
}

function result(steps: readonly TestStep[]): Html {
  const first = steps.find(({ fault }) => fault !== undefined);
  return first?.fault === undefined
    ? notice("ok", "The connection works. An identity provider with these values logs people in.")
    : notice("bad", first.fault);
}

function list(steps: readonly TestStep[]): Html {
  const claims = steps.find((step) => step.claims !== undefined)?.claims;
  return html`<section class="card"><h2>Steps</h2>
<ol class="stack">${steps.map(({ name, fault }) => html`<li>${stateMark(fault === undefined ? "ok" : "bad", name)}</li>`)}</ol>
${claims && html`<h3>What your identity provider receives</h3><pre tabindex="0"><code>${JSON.stringify(claims, null, 2)}</code></pre>`}</section>`;
}
