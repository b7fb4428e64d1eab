import { qrCode } from "@dataspace/ui/qr-code";
import { notice } from "@dataspace/ui/state-mark";
import { html } from "hono/html";
import type { EName } from "@dataspace/protocol/ename";
import type { Html } from "@dataspace/ui/html";
import type { Page } from "@dataspace/ui/page";
import type { MessagePage } from "@dataspace/wallet-login/plain-page";

const WITHOUT_SCRIPT_SECONDS = 4;

/**
 * Renders the page that asks for a wallet's signature; it continues by itself when the wallet has signed. Refuses:
 * never.
 */
export function loginPage(uri: string): Page {
  return {
    ...frame(
      "Log in",
      html`<ds-live id="login" from="/" every="2"><section class="card">
<div><h1>Log in with your wallet</h1>
<p class="muted">Scan the code. Your wallet signs it, and this page goes on by itself. It is good for 5 minutes.</p></div>
${qrCode(uri, "Login code for your wallet")}
<a class="button" href="${uri}">Open the wallet on this device</a>
</section></ds-live>`,
    ),
    refreshSeconds: WITHOUT_SCRIPT_SECONDS,
  };
}

/** Renders the page of a logged-in person. Refuses: never. */
export function homePage(ename: EName): Page {
  return frame(
    "Home",
    html`<section class="card"><h1>You are logged in</h1>
<p>The platform knows you as <code>${ename}</code>, and nothing else of you.</p>
<form method="post" action="/logout"><button class="quiet">Log out</button></form></section>`,
  );
}

/** Renders the page for a refused login. Refuses: never. */
export function refusedPage(message: string): Page {
  return messagePage({ status: 400, title: "You are not logged in", message });
}

/** Writes a page that says one thing. Refuses: never. */
export function messagePage({ status, title, message }: MessagePage): Page {
  return frame(
    title,
    html`<h1>${title}</h1>${notice(status < 400 ? "ok" : "bad", message)}<a href="/">To the login page</a>`,
  );
}

function frame(title: string, main: Html): Page {
  return { title, part: "sample platform", home: "/", isNarrow: true, main };
}
