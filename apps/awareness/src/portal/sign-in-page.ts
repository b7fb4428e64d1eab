import { button, linkButton } from "@dataspace/ui/button";
import { walletRequest } from "@dataspace/ui/wallet-request";
import { SIGN_IN_SECONDS } from "@dataspace/wallet-login/postgres-login-store";
import { html } from "hono/html";
import type { Page } from "@dataspace/ui/page";
import type { ShownLogin } from "@dataspace/wallet-login/wallet-login";

const WITHOUT_SCRIPT_SECONDS = 4;

const WORDS = {
  window: "Sign in",
  title: "Sign in with your wallet",
  lead: "Scan the code with your wallet and approve. This page continues by itself.",
  code: "Sign-in code for your wallet",
  signedText: `This text. It is valid for ${SIGN_IN_SECONDS / 60} minutes and in this browser only:`,
  without: "Without a wallet",
  withoutText: "In the development stack, this machine may sign in as the stack's own consumer.",
  dev: "Continue as dev",
  signedTitle: "Signed",
  here: "You are signed in",
  goOn: "Continue",
  elsewhere: "Your wallet has signed",
  elsewhereText: "Return to the browser where you opened the sign-in page. It continues there.",
} as const;

/**
 * Renders the page that asks for a wallet's signature. It continues by itself when the wallet has signed.
 *
 * In: `offersDev`, whether a button signs the development stack's own consumer in. Refuses: never. Source: S2 "Login
 * flow".
 */
export function signInPage({ uri, session }: Pick<ShownLogin, "uri" | "session">, offersDev: boolean): Page {
  return {
    title: WORDS.window,
    part: "awareness",
    home: "/portal",
    isNarrow: true,
    refreshSeconds: WITHOUT_SCRIPT_SECONDS,
    main: html`<ds-live id="sign-in" from="/portal/sign-in" every="2"><section class="card">
<div><h1>${WORDS.title}</h1>
<p class="muted">${WORDS.lead}</p></div>
${walletRequest({ uri, label: WORDS.code, text: session, about: WORDS.signedText })}
</section></ds-live>
${
  offersDev &&
  html`<section class="card"><div><h2>${WORDS.without}</h2>
<p class="muted">${WORDS.withoutText}</p></div>
<form method="post" action="/portal/sign-in/dev">${button({ kind: "quiet", text: WORDS.dev })}</form></section>`
}`,
  };
}

/**
 * Renders the page that a wallet on the same device opens. In: `isHere`, whether this browser is now signed in.
 * Refuses: never.
 */
export function signedPage(isHere: boolean): Page {
  return {
    title: WORDS.signedTitle,
    part: "awareness",
    home: "/portal",
    isNarrow: true,
    main: isHere
      ? html`<section class="card"><h1>${WORDS.here}</h1><div>${linkButton("/portal", { kind: "primary", text: WORDS.goOn })}</div></section>`
      : html`<section class="card"><h1>${WORDS.elsewhere}</h1><p>${WORDS.elsewhereText}</p></section>`,
  };
}
