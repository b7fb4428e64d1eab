import { shownOnce } from "@dataspace/ui/copyable";
import { html } from "hono/html";
import type { PortalPage } from "./frame.ts";

/** A new credential, shown only here. */
export interface MadeSecret {
  readonly title: string;
  readonly what: string;
  readonly secret: string;
  /** Its purpose, and what happens to the credential that it replaces. */
  readonly about: string;
  readonly place: PortalPage["place"];
  readonly goOn: string;
}

/** Renders the only page that shows a secret. Refuses: never. Source: decisions E3, E9. */
export function secretPage({ title, what, secret, about, place, goOn }: MadeSecret): PortalPage {
  return {
    title,
    place,
    main: html`<h1>${title}</h1>
<section class="card" aria-labelledby="secret"><h2 id="secret">${what}</h2>
<p><strong>Keep it now: it is shown this one time.</strong> ${about}</p>
${shownOnce(secret, what)}
<a class="button" href="${goOn}">I have saved it</a></section>`,
  };
}
