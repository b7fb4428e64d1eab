import { html, raw } from "hono/html";
import { renderSVG } from "uqr";
import type { Html } from "./html.ts";

/** The light frame that a reader needs around a code, in modules. Source: ISO/IEC 18004. */
const QUIET_ZONE_MODULES = 4;

/**
 * Draws a QR code, dark on white in both themes. In: `label` says what it is for whoever does not see it.
 *
 * Refuses: an Error for text that no code holds, above 2,331 bytes. Source: ISO/IEC 18004, error correction M.
 */
export function qrCode(text: string, label: string): Html {
  const svg = renderSVG(text, { ecc: "M", border: QUIET_ZONE_MODULES });
  // The one text that is not escaped: the library's own drawing, which holds no part of `text` as text.
  return html`<div class="qr" role="img" aria-label="${label}">${raw(svg)}</div>`;
}
