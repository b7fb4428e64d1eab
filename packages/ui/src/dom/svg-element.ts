import { ICON_PATHS } from "../shapes/icon-paths.ts";
import { ILLUSTRATIONS, type IllustrationName } from "../shapes/illustration-paths.ts";

const SVG = "http://www.w3.org/2000/svg";

/** Makes an element of a drawing. Refuses: never. */
export function svgElement(
  name: "svg" | "path",
  attributes: Readonly<Record<string, string>>,
  ...children: readonly Node[]
): SVGElement {
  const made = document.createElementNS(SVG, name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  made.append(...children);
  return made;
}

/** Shows an icon of the height of the text beside it. Screen readers skip it. Refuses: never. */
export function icon(name: keyof typeof ICON_PATHS): SVGElement {
  const path = svgElement("path", { d: ICON_PATHS[name] });
  return svgElement("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, path);
}

/** Shows a small drawing for a place without content. Screen readers skip it. Refuses: never. */
export function illustration(name: IllustrationName): SVGElement {
  const paths = ILLUSTRATIONS[name].map(({ tone, d }) => svgElement("path", { class: tone, d }));
  return svgElement("svg", { class: "illustration", viewBox: "0 0 160 96", "aria-hidden": "true" }, ...paths);
}
