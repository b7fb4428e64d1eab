const UNSAFE_IN_NAME = /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu;
const MAX_NAME_CHARACTERS = 255;

/**
 * Writes the Content-Disposition of a file. The name comes from its MetaEnvelope and may be anything: only its last
 * path segment is sent, without control characters and direction marks.
 *
 * Refuses: never. Source: RFC 6266; decision V15.
 */
export function contentDisposition(filename: unknown): string {
  const name = safeName(typeof filename === "string" ? filename : "");
  const plain = name.replace(/[^A-Za-z0-9._ -]/g, "_");
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16)}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

function safeName(filename: string): string {
  const last = filename.split(/[/\\]/).at(-1) as string;
  const clean = last.toWellFormed().replace(UNSAFE_IN_NAME, "").trim();
  return /^\.*$/.test(clean) ? "file" : [...clean].slice(0, MAX_NAME_CHARACTERS).join("");
}

/**
 * The headers of every blob: browsers must not run it, guess its type, or cache it longer than its MetaEnvelope allows.
 * Source: decision V15.
 */
export const BLOB_HEADERS = {
  "x-content-type-options": "nosniff",
  "content-security-policy": "sandbox; default-src 'none'",
  "cross-origin-resource-policy": "cross-origin",
  "referrer-policy": "no-referrer",
  "cache-control": "private, no-cache",
} as const;
