import { qrCode } from "@dataspace/ui/qr-code";
import { notice } from "@dataspace/ui/state-mark";
import { html } from "hono/html";
import type { SocialPage } from "../social-route.ts";

/** Renders the page that asks for a wallet's signature; it continues by itself when the wallet has signed. Refuses: never. */
export function signInPage(uri: string): SocialPage {
  const main = html`<ds-live id="login" from="/login" every="2"><section class="card">
<div><h1>Log in with your wallet</h1>
<p class="muted">Scan the code. Your wallet signs it, and this page continues by itself. The code is valid for 5 minutes.</p></div>
${qrCode(uri, "Login code for your wallet")}
<a class="button" href="${uri}">Open the wallet on this device</a>
</section></ds-live>`;
  return { title: "Log in", main, isNarrow: true };
}

/** Renders a page that says one thing. Refuses: never. */
export function messagePage({
  status,
  title,
  message,
}: {
  readonly status: number;
  readonly title: string;
  readonly message: string;
}): SocialPage {
  const main = html`<h1>${title}</h1>${notice(status < 400 ? "ok" : "bad", message)}<p><a href="/">To the posts</a></p>`;
  return { title, main, isNarrow: true, status };
}
