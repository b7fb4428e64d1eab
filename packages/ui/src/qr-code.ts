import { html, raw } from "hono/html";
import { encode } from "uqr";
import type { Html } from "./html.ts";

/** The light frame that a reader needs around a code, in modules. Source: ISO/IEC 18004. */
const QUIET_ZONE_MODULES = 4;
/**
 * A checkerboard. Readers take each of the eight masks. Choosing the best one takes most of the time of a code, and gains little for
 * text that is mostly random, such as a session.
 */
const MASK_PATTERN = 0;

/**
 * Draws a QR code, dark on white in both themes. In: `label` says what it is for whoever does not see it.
 *
 * Refuses: an Error for text that no code holds, above 2,331 bytes. Source: ISO/IEC 18004, error correction M.
 */
export function qrCode(text: string, label: string): Html {
  const { data, size } = encode(text, { ecc: "M", border: QUIET_ZONE_MODULES, maskPattern: MASK_PATTERN });
  const runs = data.map(drawRow).join("");
  // The one text that is not escaped: numbers and letters of this function, and no part of `text`.
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><rect fill="#fff" width="${size}" height="${size}"/><path stroke="#000" d="${runs}"/></svg>`;
  return html`<div class="qr" role="img" aria-label="${label}">${raw(svg)}</div>`;
}

/** Draws the dark runs of a row as lines of the height of a module: a third of the bytes of one square for each module. */
function drawRow(row: readonly boolean[], y: number): string {
  let lines = "";
  for (let x = 0; x < row.length; x += 1) {
    if (!row[x] || row[x - 1]) continue;
    let length = 1;
    while (row[x + length]) length += 1;
    lines += `M${x} ${y}.5h${length}`;
  }
  return lines;
}
