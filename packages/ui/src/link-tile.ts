import { html } from "hono/html";
import type { Html } from "./html.ts";
import { type IconName, icon } from "./icon.ts";

/** A place to go to: its name, one sentence about it, and optionally its state. */
export interface LinkTile {
  readonly href: string;
  readonly icon: IconName;
  readonly title: string;
  readonly text: string;
  readonly mark?: Html;
}

/** Shows places to go to as a grid of tiles. Refuses: never. */
export function linkTiles(tiles: readonly LinkTile[]): Html {
  return html`<ul class="tiles">${tiles.map(
    ({ href, icon: name, title, text, mark }) =>
      html`<li><a href="${href}">${icon(name)}<span class="stack"><span class="row"><strong>${title}</strong>${mark}</span><span class="muted small">${text}</span></span></a></li>`,
  )}</ul>`;
}
