import sharp from "sharp";
import { loginRefusal } from "../errors.ts";

const MOST_BYTES = 262_144;
const LONGEST_SIDE = 1_024;
const SHOWN_SIDE = 256;
const FORMATS = new Set(["png", "jpeg", "webp"]);

/**
 * Reads an uploaded logo and encodes it again as PNG, at most 256 pixels wide and high. The size in the image's header
 * is checked before a pixel is decoded.
 *
 * Refuses: INVALID_CLIENT_INPUT for a file that is not PNG, JPEG or WebP (SVG is refused), above 256 KiB, or above
 * 1,024 pixels a side.
 * Source: S2 "Client"; T-75.
 */
export async function readLogo(bytes: Uint8Array): Promise<Buffer> {
  if (bytes.byteLength > MOST_BYTES) throw refused("The logo has more than 256 KiB.");
  if (!hasImageStart(bytes)) throw refused("The logo is not PNG, JPEG or WebP.");
  try {
    const options = { limitInputPixels: LONGEST_SIDE * LONGEST_SIDE, failOn: "error", pages: 1 } as const;
    const image = sharp(bytes, options);
    const { width, height, format } = await image.metadata();
    if (!FORMATS.has(format)) throw refused("The logo is not PNG, JPEG or WebP.");
    if (width > LONGEST_SIDE || height > LONGEST_SIDE) throw refused("The logo has more than 1,024 pixels a side.");
    const fit = { width: SHOWN_SIDE, height: SHOWN_SIDE, fit: "inside", withoutEnlargement: true } as const;
    return await image.resize(fit).png().toBuffer();
  } catch (error) {
    if (error instanceof Error && error.name === "Refusal") throw error;
    throw refused("The logo cannot be read. Send a PNG, JPEG or WebP image.");
  }
}

/** By the first bytes, whatever type the upload states. */
function hasImageStart(bytes: Uint8Array): boolean {
  const start = Buffer.from(bytes.subarray(0, 12));
  const isPng = start.subarray(0, 4).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47]));
  const isJpeg = start.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]));
  const isWebp = start.toString("latin1", 0, 4) === "RIFF" && start.toString("latin1", 8, 12) === "WEBP";
  return isPng || isJpeg || isWebp;
}

function refused(message: string): Error {
  return loginRefusal("INVALID_CLIENT_INPUT", message);
}
