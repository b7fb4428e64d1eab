import { qrCode } from "@dataspace/ui/qr-code";
import { html } from "hono/html";
import type { Html } from "@dataspace/ui/html";
import type { LoginView } from "../logins/logins.ts";
import { fill } from "./choose-speech.ts";
import { renderLoginFrame } from "./login-frame.ts";
import type { Speech } from "./words.ts";

/** The client that a person logs in to; `host` is where the browser returns to. */
export interface ShownClient {
  readonly name: string;
  readonly logoUrl: string;
  readonly host: string;
}

/** What the login page shows. */
export interface LoginPageParts {
  readonly view: LoginView;
  readonly client: ShownClient;
  /** What the wallet opens: `ds://auth?...`. */
  readonly walletUri: string;
  /** Where a browser wallet opens it, in the development stack. */
  readonly sandboxUri: string | undefined;
  /** The fixed label of the pages. */
  readonly label: string;
}

const WITHOUT_SCRIPT_SECONDS = 3;

/**
 * Writes the login page of a login in any state. A signed login that is shown at all waits for its confirmation.
 *
 * Refuses: never. Source: S2 "Login flow"; decisions L6, L10, L13.
 */
export async function renderLoginPage(parts: LoginPageParts, speech: Speech): Promise<string> {
  const { view } = parts;
  const { name: client, logoUrl, host } = parts.client;
  const { words } = speech;
  const address = `/login/${view.request.id}`;
  const isWaiting = view.state === "pending" || view.state === "checking";
  const state = view.state === "signed" ? "confirm" : view.state;
  return renderLoginFrame(
    {
      title: fill(words.logInTo, { client }),
      label: parts.label,
      refresh: isWaiting ? `${WITHOUT_SCRIPT_SECONDS}; url=${address}` : undefined,
      main: html`<section class="card" id="login" data-state="${state}" data-next="${address}" data-events="/ds/events/${view.session}" data-seconds="${view.secondsLeft}"${view.failure && html` data-failure="${view.failure}"`}>
<img class="logo" src="${logoUrl}" alt="" width="64" height="64">
<div><h1>${fill(words.logInTo, { client })}</h1><p class="quiet">${fill(words.returnsTo, { host })}</p></div>
${isWaiting ? waiting(parts, speech) : state === "confirm" ? confirmation(parts, speech) : ended(parts, speech)}
<div class="row foot">${isWaiting && html`<form method="post" action="${address}/renew"><button class="link">${words.newCode}</button></form>`}
<form method="post" action="${address}/cancel"><button class="link">${fill(words.cancel, { client })}</button></form></div>
</section>
<p class="warning">${SHIELD}<span>${words.warning}</span></p>
<p class="quiet small">${words.privacy}</p>`,
    },
    speech,
  );
}

const SHIELD = html`<svg viewBox="0 0 20 20" width="18" height="18" fill="none" stroke="currentColor" stroke-width="1.6" stroke-linejoin="round" aria-hidden="true"><path d="M10 2 3.5 4.5v5c0 4 2.7 7 6.5 8.5 3.8-1.5 6.5-4.5 6.5-8.5v-5L10 2Z"/><path d="M10 6.5v4M10 13v.2" stroke-linecap="round"/></svg>`;

const TICK = html`<svg viewBox="0 0 48 48" width="64" height="64" fill="none" stroke="currentColor" stroke-width="3" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><circle cx="24" cy="24" r="21"/><path d="m15 25 6.5 6.5L34 18"/></svg>`;

/** On a phone the wallet comes first, and the code behind a link to it: `#code`. On other devices the code comes first. */
function waiting(parts: LoginPageParts, { words }: Speech): Html {
  const { view, walletUri, sandboxUri } = parts;
  const { name: client } = parts.client;
  return html`<div class="stack" id="waiting">
<ol class="steps"><li>${words.scan}</li><li>${words.approve}</li></ol>
<p class="here">${words.approveHere}</p>
<div class="ways">
<div class="code" id="code">${qrCode(walletUri, words.codeName)}</div>
<div class="row"><a class="button wallet" href="${walletUri}" id="open-wallet">${words.openWallet}</a>
${sandboxUri && html`<a class="button second" href="${sandboxUri}" target="_blank" rel="noopener">${words.openSandbox}</a>`}</div>
<a class="other" href="#code">${words.otherDevice}</a>
</div>
<p class="small" id="nothing" hidden>${words.nothingHappened}</p>
<p class="status"><span class="dot" aria-hidden="true"></span><span role="status" id="state">${words.waiting}</span><span class="quiet" id="time" data-text="${words.validFor}">${fill(words.validFor, { time: toClock(view.secondsLeft) })}</span></p>
</div>
<div class="stack done" id="done" hidden>${TICK}<p role="status" id="done-text" data-text="${words.signedIn}"></p>
<a class="button" href="/login/${view.request.id}" id="continue" hidden>${fill(words.continueTo, { client })}</a></div>`;
}

function confirmation({ view, client: { name: client } }: LoginPageParts, { words }: Speech): Html {
  return html`<p class="ename">${fill(words.confirm, { ename: view.signed?.ename ?? "" })}</p>
<form method="post" action="/login/${view.request.id}/continue"><button class="button">${fill(words.continueTo, { client })}</button></form>`;
}

function ended({ view }: LoginPageParts, { words }: Speech): Html {
  const message = view.state === "failed" && view.failure !== undefined ? words[view.failure] : words.expired;
  return html`<p class="failed" role="alert">${message}</p>
<form method="post" action="/login/${view.request.id}/renew"><button class="button">${words.newCode}</button></form>`;
}

function toClock(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
