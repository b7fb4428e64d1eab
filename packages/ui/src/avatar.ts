import { html } from "hono/html";
import type { Html } from "./html.ts";
import { avatarShape } from "./shapes/avatar-shape.ts";

/** Shows the avatar that belongs to `seed`, such as an eName. It is decoration, so a name stands beside it. Refuses: never. */
export function avatar(seed: string, size: "small" | "large" = "small"): Html {
  const { background, tiles } = avatarShape(seed);
  return html`<svg class="avatar ${size}" viewBox="0 0 40 40" aria-hidden="true"><path fill="${background}" d="M0 0h40v40H0z"/>${tiles.map(
    ({ d, fill }) => html`<path fill="${fill}" d="${d}"/>`,
  )}</svg>`;
}

/** Shows a person: the avatar, the name, and a second line such as the eName. Refuses: never. */
export function person(seed: string, name: string, line: Html | string): Html {
  return html`<span class="person">${avatar(seed)}<span><strong class="clip">${name}</strong><span class="clip muted small">${line}</span></span></span>`;
}
