import { html } from "hono/html";
import type { Html } from "../html.ts";
import { type Page, THEMES } from "../page.ts";
import { type Toast, toasts } from "../toasts.ts";
import { type GalleryExample, type GalleryPiece, galleryPieces } from "./gallery-pieces.ts";

const WORDS = {
  title: "Design system",
  lead: "Every component that pages are made of, with examples.",
  automatic: "Automatic",
  light: "Light",
  dark: "Dark",
};
const TOAST: Toast = { kind: "bad", text: "This message stays until you close it." };

/** Whose page shows the components, and what the examples are about. `theme`: the requested one. */
export interface Gallery {
  readonly home: string;
  readonly at: string;
  readonly theme: string | undefined;
  readonly example: GalleryExample;
}

/** Renders the page that shows every component, in the reader's theme or in the one that the address asks for. Refuses: never. */
export function galleryPage({ home, at, theme: asked, example }: Gallery): Page {
  const theme = THEMES.find((name) => name === asked);
  return {
    title: WORDS.title,
    part: "ui",
    home,
    theme,
    nav: [
      { href: at, text: WORDS.automatic, current: theme === undefined },
      ...THEMES.map((name) => ({ href: `${at}?theme=${name}`, text: WORDS[name], current: theme === name })),
    ],
    main: html`<div><h1>${WORDS.title}</h1><p class="lead">${WORDS.lead}</p></div>${galleryPieces(example).map(section)}${toasts([TOAST])}`,
  };
}

function section({ id, title, text, main }: GalleryPiece): Html {
  return html`<section class="card" id="${id}" aria-labelledby="${id}-title"><div><h2 id="${id}-title">${title}</h2><p class="muted">${text}</p></div>${main}</section>`;
}
