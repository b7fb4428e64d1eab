import { html, raw } from "hono/html";
import { encodeQR } from "qr";
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
  const rows = encodeQR(text, "raw", { ecc: "medium", border: QUIET_ZONE_MODULES, mask: MASK_PATTERN });
  const size = rows.length;
  const runs = rows.map(drawRow).join("");
  // The one text that is not escaped: numbers and letters of this function, and no part of `text`.
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><rect fill="#fff" width="${size}" height="${size}"/><path stroke="#000" d="${runs}"/></svg>`;
  return html`<div class="qr" role="img" aria-label="${label}">${raw(svg)}</div>`;
}

/**
 * Draws the dark runs of a row as lines of the height of a module, each from the end of the one before: a quarter of the bytes of one
 * square for each module.
 */
function drawRow(row: readonly boolean[], y: number): string {
  let lines = "";
  let drawnTo = 0;
  let start = -1;
  // The light frame ends every run.
  for (let x = 0; x < row.length; x += 1) {
    if (row[x] === start >= 0) continue;
    if (start < 0) {
      start = x;
      continue;
    }
    lines += lines === "" ? `M${start} ${y}.5h${x - start}` : `m${start - drawnTo} 0h${x - start}`;
    drawnTo = x;
    start = -1;
  }
  return lines;
}
