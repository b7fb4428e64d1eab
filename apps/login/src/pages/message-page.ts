import { html } from "hono/html";
import { renderLoginFrame } from "./login-frame.ts";
import type { Speech } from "./words.ts";

/** Renders a page with one message: a title, a sentence, and an optional link. Refuses: never. */
export async function renderMessagePage(
  page: {
    readonly label: string;
    readonly title: string;
    readonly message: string;
    readonly link?: { readonly href: string; readonly text: string };
  },
  speech: Speech,
): Promise<string> {
  const { label, title, message, link } = page;
  return renderLoginFrame(
    {
      title,
      label,
      main: html`<section class="card"><h1>${title}</h1><p>${message}</p>
${link && html`<a class="button" href="${link.href}">${link.text}</a>`}</section>`,
    },
    speech,
  );
}
