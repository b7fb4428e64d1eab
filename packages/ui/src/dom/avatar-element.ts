import { avatarShape } from "../shapes/avatar-shape.ts";
import { svgElement } from "./svg-element.ts";

/** Makes the avatar that belongs to `seed`, such as an eName. It is decoration, so a name stands beside it. Refuses: never. */
export function avatarElement(seed: string): SVGElement {
  const { background, tiles } = avatarShape(seed);
  return svgElement(
    "svg",
    { class: "avatar small", viewBox: "0 0 40 40", "aria-hidden": "true" },
    svgElement("path", { fill: background, d: "M0 0h40v40H0z" }),
    ...tiles.map(({ d, fill }) => svgElement("path", { fill, d })),
  );
}
