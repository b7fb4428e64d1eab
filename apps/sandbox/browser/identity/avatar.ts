import type { EName } from "@dataspace/protocol/ename";

const SVG = "http://www.w3.org/2000/svg";
const HUES = 360;

/**
 * Draws the avatar of an identity: its initials on a pattern that follows from its eName, so that two people of one
 * name look different.
 *
 * Refuses: never.
 */
export function avatar({ ename, displayName }: { readonly ename: EName; readonly displayName: string }): SVGElement {
  const bytes =
    ename
      .slice(1)
      .replaceAll("-", "")
      .match(/../g)
      ?.map((pair) => Number.parseInt(pair, 16)) ?? [];
  const [first = 0, second = 0, third = 0] = bytes;
  const hue = Math.round(((first * 256 + second) / 65_536) * HUES);
  const image = svg("svg", { class: "avatar", viewBox: "0 0 40 40", "aria-hidden": "true", focusable: "false" });
  image.append(
    svg("rect", { width: "40", height: "40", fill: `oklch(0.44 0.12 ${hue})` }),
    svg("circle", {
      cx: String((third % 5) * 10),
      cy: String((third % 3) * 18 + 4),
      r: String(14 + (second % 10)),
      fill: `oklch(0.5 0.13 ${(hue + 50) % HUES})`,
    }),
  );
  const text = svg("text", { x: "20", y: "21", "text-anchor": "middle", "dominant-baseline": "central", fill: "#fff" });
  text.textContent = initialsOf(displayName);
  image.append(text);
  return image;
}

function initialsOf(name: string): string {
  const letters = name
    .slice(0, 200)
    .split(/\s/)
    .map((word) => /^[\p{L}\p{N}]/u.exec(word.normalize("NFC"))?.[0])
    .filter((letter) => letter !== undefined);
  return [letters[0], letters.length > 1 ? letters.at(-1) : undefined].join("").toUpperCase();
}

function svg(name: string, attributes: Readonly<Record<string, string>>): SVGElement {
  const made = document.createElementNS(SVG, name) as SVGElement;
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  return made;
}
