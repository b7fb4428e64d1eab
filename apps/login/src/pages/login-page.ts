import { qrCode } from "@dataspace/ui/qr-code";
import { html } from "hono/html";
import type { Html } from "@dataspace/ui/html";
import type { LoginView } from "../logins/logins.ts";
import { fill } from "./choose-speech.ts";
import { renderLoginFrame } from "./login-frame.ts";
import type { Speech } from "./words.ts";

/** What the login page shows beside the login itself. */
export interface LoginPageParts {
  readonly view: LoginView;
  readonly clientName: string;
  readonly logoUrl: string;
  /** The host that the browser returns to. */
  readonly host: string;
  /** What the wallet opens: `ds://auth?...`. */
  readonly walletUri: string;
  /** Where a browser wallet opens it, in the development stack. */
  readonly sandboxUri: string | undefined;
  /** The fixed label of the pages. */
  readonly label: string;
}

const WITHOUT_SCRIPT_SECONDS = 3;

/** Writes the login page of a login in any state. Refuses: never. Source: S2 "Login flow"; decisions L10, L13. */
export async function renderLoginPage(parts: LoginPageParts, speech: Speech): Promise<string> {
  const { view, clientName: client, logoUrl, host } = parts;
  const { words } = speech;
  const address = `/login/${view.request.id}`;
  const isWaiting = view.state === "pending" || view.state === "checking";
  return renderLoginFrame(
    {
      title: fill(words.logInTo, { client }),
      label: parts.label,
      refresh: isWaiting || view.state === "signed" ? `${WITHOUT_SCRIPT_SECONDS}; url=${address}` : undefined,
      main: html`<section class="card" id="login" data-state="${view.state}" data-next="${address}" data-events="/ds/events/${view.session}" data-seconds="${view.secondsLeft}">
<img class="logo" src="${logoUrl}" alt="" width="56" height="56">
<h1>${fill(words.logInTo, { client })}</h1>
<p class="quiet">${fill(words.returnsTo, { host })}</p>
${isWaiting ? waiting(parts, speech) : view.state === "signed" ? signed(parts, speech) : ended(parts, speech)}
<form method="post" action="${address}/cancel"><button class="link">${fill(words.cancel, { client })}</button></form>
</section>
<p class="warning">${words.warning}</p>
<p class="quiet small">${words.privacy}</p>`,
    },
    speech,
  );
}

function waiting({ view, walletUri, sandboxUri }: LoginPageParts, { words }: Speech): Html {
  return html`<ol class="steps"><li>${words.scan}</li><li>${words.approve}</li></ol>
<div class="ways">
<div class="code">${qrCode(walletUri, words.codeName)}</div>
<a class="button" href="${walletUri}" id="open-wallet">${words.openWallet}</a>
${sandboxUri && html`<a class="button second" href="${sandboxUri}" target="_blank" rel="noopener">${words.openSandbox}</a>`}
</div>
<p class="quiet small" id="nothing" hidden>${words.nothingHappened}</p>
<p class="quiet" role="status" aria-live="polite" id="state">${words.waiting}</p>
<p class="quiet small" id="time" data-text="${words.validFor}">${fill(words.validFor, { time: toClock(view.secondsLeft) })}</p>
<form method="post" action="/login/${view.request.id}/renew"><button class="link">${words.newCode}</button></form>`;
}

function signed({ view, clientName: client }: LoginPageParts, { words }: Speech): Html {
  return html`<p class="done" role="status">${words.signedIn}</p>
<a class="button" href="/login/${view.request.id}">${fill(words.continueTo, { client })}</a>`;
}

function ended({ view }: LoginPageParts, { words }: Speech): Html {
  const message = view.state === "failed" && view.failure !== undefined ? words[view.failure] : words.expired;
  return html`<p class="failed" role="alert">${message}</p>
<form method="post" action="/login/${view.request.id}/renew"><button class="button">${words.newCode}</button></form>`;
}

function toClock(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
