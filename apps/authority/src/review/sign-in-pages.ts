import { notice } from "@dataspace/ui/state-mark";
import { walletRequest } from "@dataspace/ui/wallet-request";
import { SIGN_IN_SECONDS } from "@dataspace/wallet-login/postgres-login-store";
import { html } from "hono/html";
import type { EName } from "@dataspace/protocol/ename";
import type { Page } from "@dataspace/ui/page";
import type { ShownLogin } from "@dataspace/wallet-login/wallet-login";

const WORDS = {
  title: "Sign in",
  heading: "Sign in to review",
  lead: "Scan the code with the wallet of a reviewer. Your wallet signs it, and this page continues by itself.",
  code: "Sign-in code for your wallet",
  about: `This text, which is good for ${SIGN_IN_SECONDS / 60} minutes and for this browser alone:`,
  signedTitle: "Signed in",
  signed: "You are signed in",
  go: "To the submissions",
  refusedTitle: "Not a reviewer",
  refused: "You are not a reviewer",
  again: "Sign in with another wallet",
  home: "To the start of this service",
} as const;

const WITHOUT_SCRIPT_SECONDS = 4;
const FRAME = { part: "authority", home: "/", isNarrow: true } as const;

/** Renders the page that asks for a wallet's signature. It continues by itself when the wallet has signed. Refuses: never. */
export function signInPage(
  { uri, session }: Pick<ShownLogin, "uri" | "session">,
  sandboxUrl: string | undefined,
): Page {
  const { code: label, about } = WORDS;
  return {
    ...FRAME,
    title: WORDS.title,
    refreshSeconds: WITHOUT_SCRIPT_SECONDS,
    main: html`<ds-live id="sign-in" from="/review/sign-in" every="2"><section class="card">
<div><h1>${WORDS.heading}</h1><p class="muted">${WORDS.lead}</p></div>
${walletRequest({ uri, label, text: session, about, sandboxUrl })}
</section></ds-live>`,
  };
}

/** Renders the page that a wallet on the same device leads to. Refuses: never. */
export function signedPage(): Page {
  const main = html`<section class="card"><h1>${WORDS.signed}</h1><a class="button" href="/review/submissions">${WORDS.go}</a></section>`;
  return { ...FRAME, title: WORDS.signedTitle, main };
}

/** Renders the page for somebody whose wallet signed and who is not a reviewer. Refuses: never. Source: decision A6. */
export function notReviewerPage(ename: EName): Page {
  return {
    ...FRAME,
    title: WORDS.refusedTitle,
    main: html`<h1>${WORDS.refused}</h1>${notice(
      "bad",
      html`<p><span class="mono">${ename}</span> is not among the reviewers of this authority. Its operator names them in <code>DS_AUTHORITY_REVIEWERS</code>.</p>`,
    )}<div class="row"><a class="button" href="/review/sign-in">${WORDS.again}</a><a class="button quiet" href="/">${WORDS.home}</a></div>`,
  };
}

/** Renders a page that says one thing, such as why a sign-in failed. Refuses: never. */
export function messagePage({ title, message }: { readonly title: string; readonly message: string }): Page {
  const main = html`<section class="card"><h1>${title}</h1><p>${message}</p><a class="button quiet" href="/review/sign-in">${WORDS.title}</a></section>`;
  return { ...FRAME, title, main };
}
