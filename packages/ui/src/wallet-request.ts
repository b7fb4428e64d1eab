import { html } from "hono/html";
import { linkButton } from "./button.ts";
import type { Html } from "./html.ts";
import { qrCode } from "./qr-code.ts";

/** A request to a wallet: its address, what the code is for, and the text that the wallet signs. */
export interface WalletRequest {
  readonly uri: string;
  readonly label: string;
  readonly text: string;
  /** What the reader needs to know about the text. */
  readonly about: string;
  /** The development stack's own wallet. */
  readonly sandboxUrl?: string | undefined;
}

const WORDS = {
  here: "Open the wallet on this device",
  sandbox: "Open in sandbox",
  signed: "What is signed",
} as const;

/** Shows a request to a wallet: a code to scan, a link for a wallet on this device, and what is signed. Refuses: never. */
export function walletRequest({ uri, label, text, about, sandboxUrl }: WalletRequest): Html {
  return html`${qrCode(uri, label)}
${linkButton(uri, { text: WORDS.here, kind: "primary", icon: "wallet" })}
${
  sandboxUrl !== undefined &&
  html`<a class="button quiet" href="${sandboxUrl}/?uri=${encodeURIComponent(uri)}" target="_blank" rel="noopener">${WORDS.sandbox}</a>`
}
<details id="signed"><summary>${WORDS.signed}</summary><p>${about}</p><p><code>${text}</code></p></details>`;
}
