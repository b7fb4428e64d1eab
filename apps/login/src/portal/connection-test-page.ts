import { qrCode } from "@dataspace/ui/qr-code";
import { notice, stateMark } from "@dataspace/ui/state-mark";
import { html } from "hono/html";
import type { Html } from "@dataspace/ui/html";
import type { Page } from "@dataspace/ui/page";
import type { LoginClient } from "../clients/client-rows.ts";
import type { ConnectionTest, TestStep } from "./connection-test.ts";
import { CONNECTION_TEST_TEXTS } from "./connection-test-texts.ts";
import { crumbs, portalFrame } from "./portal-frame.ts";
import type { PortalSession } from "./portal-sessions.ts";

const LOOK_SECONDS = 2;

/** Writes the page of a connection test: the code to sign while it waits, then each step with the first fault. Refuses: never. */
export function connectionTestPage(session: PortalSession, client: LoginClient, test: ConnectionTest): Page {
  const isWaiting = "started" in test;
  const address = `/portal/clients/${client.clientId}/test`;
  return portalFrame(session, {
    title: CONNECTION_TEST_TEXTS.title,
    ...(isWaiting ? { refreshSeconds: LOOK_SECONDS } : {}),
    main: html`${crumbs(client)}<h1>${CONNECTION_TEST_TEXTS.title}</h1>
${isWaiting ? html`<ds-live id="test" from="${address}" every="${LOOK_SECONDS}">${waiting(test.started.walletUri)}${list(test.steps)}</ds-live>` : html`<div class="stack" id="test">${result(test.steps)}${list(test.steps)}</div>`}
<a href="/portal/clients/${client.clientId}">${CONNECTION_TEST_TEXTS.back}</a>`,
  });
}

function waiting(walletUri: string): Html {
  return html`<section class="card"><h2>${CONNECTION_TEST_TEXTS.logIn}</h2>
<p>${CONNECTION_TEST_TEXTS.logInHint}</p>
${qrCode(walletUri, CONNECTION_TEST_TEXTS.code)}<a class="button" href="${walletUri}">${CONNECTION_TEST_TEXTS.openWallet}</a></section>`;
}

function result(steps: readonly TestStep[]): Html {
  const first = steps.find(({ fault }) => fault !== undefined);
  return first?.fault === undefined ? notice("ok", CONNECTION_TEST_TEXTS.works) : notice("bad", first.fault);
}

function list(steps: readonly TestStep[]): Html {
  const claims = steps.find((step) => step.claims !== undefined)?.claims;
  return html`<section class="card"><h2>${CONNECTION_TEST_TEXTS.steps}</h2>
<ol class="stack">${steps.map(({ name, fault }) => html`<li>${stateMark(fault === undefined ? "ok" : "bad", name)}</li>`)}</ol>
${claims && html`<h3>${CONNECTION_TEST_TEXTS.receives}</h3><pre tabindex="0"><code>${JSON.stringify(claims, null, 2)}</code></pre>`}</section>`;
}
