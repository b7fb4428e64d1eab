import { html, raw } from "hono/html";
import { renderSVG } from "uqr";
import type { Html } from "./html.ts";

/** The light frame that a reader needs around a code, in modules. Source: ISO/IEC 18004. */
const QUIET_ZONE_MODULES = 4;

/**
 * Draws a QR code, dark on white in both themes. In: `label` describes it for assistive technology.
 *
 * Refuses: an Error for text above 2,331 bytes, which no code can hold. Source: ISO/IEC 18004, error correction M.
 */
export function qrCode(text: string, label: string): Html {
  const svg = renderSVG(text, { ecc: "M", border: QUIET_ZONE_MODULES });
  // The only unescaped text: the library's drawing, which does not contain `text`.
  return html`<div class="qr" role="img" aria-label="${label}">${raw(svg)}</div>`;
}
