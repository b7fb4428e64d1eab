import { walletRequest } from "@dataspace/ui/wallet-request";
import { SIGN_IN_SECONDS } from "@dataspace/wallet-login/postgres-login-store";
import { html } from "hono/html";
import type { Page } from "@dataspace/ui/page";
import type { ShownLogin } from "@dataspace/wallet-login/wallet-login";

const WITHOUT_SCRIPT_SECONDS = 4;

/**
 * Renders the page that asks for a wallet's signature. It continues by itself when the wallet has signed.
 *
 * In: `offersDev`, whether a button signs the development stack's own consumer in. Refuses: never. Source: S2 "Login
 * flow".
 */
export function signInPage({ uri, session }: Pick<ShownLogin, "uri" | "session">, offersDev: boolean): Page {
  return {
    title: "Sign in",
    part: "awareness",
    home: "/portal",
    isNarrow: true,
    refreshSeconds: WITHOUT_SCRIPT_SECONDS,
    main: html`<ds-live id="sign-in" from="/portal/sign-in" every="2"><section class="card">
<div><h1>Sign in with your wallet</h1>
<p class="muted">Scan the code. Your wallet signs it, and this page goes on by itself.</p></div>
${walletRequest({
  uri,
  label: "Sign-in code for your wallet",
  text: session,
  about: `This text, which is good for ${SIGN_IN_SECONDS / 60} minutes and for this browser alone:`,
})}
</section></ds-live>
${
  offersDev &&
  html`<section class="card"><div><h2>Without a wallet</h2>
<p class="muted">This is a development stack: from this machine its own consumer needs none.</p></div>
<form method="post" action="/portal/sign-in/dev"><button class="quiet">Continue as dev</button></form></section>`
}`,
  };
}

/**
 * Renders the page that a wallet on the same device opens. In: `isHere`, whether this browser is now signed in.
 * Refuses: never.
 */
export function signedPage(isHere: boolean): Page {
  return {
    title: "Signed",
    part: "awareness",
    home: "/portal",
    isNarrow: true,
    main: isHere
      ? html`<section class="card"><h1>You are signed in</h1><a class="button" href="/portal/subscriptions">Go on</a></section>`
      : html`<section class="card"><h1>Your wallet has signed</h1><p>Go back to the browser in which you opened the sign-in page: it goes on there.</p></section>`,
  };
}
