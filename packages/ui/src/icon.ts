import { html } from "hono/html";
import type { Html } from "./html.ts";
import { ICON_PATHS } from "./shapes/icon-paths.ts";

/** The name of an icon. */
export type IconName = keyof typeof ICON_PATHS;

/** Shows an icon of the height of the text beside it. Screen readers skip it: the text says what it means. Refuses: never. */
export function icon(name: IconName): Html {
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="${ICON_PATHS[name]}"/></svg>`;
}
