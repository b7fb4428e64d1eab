import { linkButton } from "@dataspace/ui/button";
import { copyableBlock, shownOnce } from "@dataspace/ui/copyable";
import { notice } from "@dataspace/ui/state-mark";
import { tabs } from "@dataspace/ui/tabs";
import { html } from "hono/html";
import type { Html } from "@dataspace/ui/html";
import type { PortalPage } from "./frame.ts";
import { receiverSnippets } from "./receiver-snippets.ts";

const WORDS = {
  once: "Save it now. It is shown only this time.",
  saved: "I've saved it",
  receive: "Receive the webhooks",
  receiveLead: "Put the secret into the environment variable WEBHOOK_SECRET and start one of these programs.",
  frameworks: "Frameworks",
  install: "The package is @dataspace/receiver. It verifies each webhook and drops repetitions.",
} as const;

/** A new credential, shown only here. */
export interface MadeSecret {
  readonly title: string;
  readonly what: string;
  readonly secret: string;
  /** Its purpose, and what happens to the credential that it replaces. */
  readonly about: string;
  readonly place: PortalPage["place"];
  readonly goOn: string;
  /** The endpoint that receives webhooks signed by it; the page then shows a receiver. */
  readonly targetUrl?: string;
}

/** Renders the only page that shows a secret. Refuses: never. Source: decisions E3, E9. */
export function secretPage({ title, what, secret, about, place, goOn, targetUrl }: MadeSecret): PortalPage {
  return {
    title,
    place,
    main: html`<h1>${title}</h1>
<section class="card" aria-labelledby="secret"><div><h2 id="secret">${what}</h2><p class="muted">${about}</p></div>
${notice("warn", html`<p><strong>${WORDS.once}</strong></p>`)}
${shownOnce(secret, what)}
<div>${linkButton(goOn, { kind: "primary", text: WORDS.saved, icon: "check" })}</div></section>
${targetUrl !== undefined && receiver(targetUrl)}`,
  };
}

function receiver(targetUrl: string): Html {
  return html`<section class="card" aria-labelledby="receive"><div><h2 id="receive">${WORDS.receive}</h2><p class="muted">${WORDS.receiveLead}</p></div>
${tabs(
  WORDS.frameworks,
  receiverSnippets(targetUrl).map(({ id, title, code }) => ({ id, title, main: copyableBlock(code, title) })),
)}
<p class="muted small">${WORDS.install}</p></section>`;
}
