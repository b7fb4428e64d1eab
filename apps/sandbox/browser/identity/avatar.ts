import { avatarShape } from "@dataspace/ui/shapes/avatar-shape";
import type { EName } from "@dataspace/protocol/ename";
import { svgElement } from "../svg-element.ts";

/** Draws the avatar of an identity, which follows from its eName. It is decoration; the name stands beside it. Refuses: never. */
export function avatar({ ename }: { readonly ename: EName }): SVGElement {
  const { background, tiles } = avatarShape(ename);
  return svgElement(
    "svg",
    { class: "avatar", viewBox: "0 0 40 40", "aria-hidden": "true" },
    svgElement("path", { fill: background, d: "M0 0h40v40H0z" }),
    ...tiles.map(({ d, fill }) => svgElement("path", { fill, d })),
  );
}
