import { decodeBase58btc } from "./base58btc.ts";
import { decodeBase64 } from "./base64.ts";
import { decodeEitherBase64 } from "./base64url.ts";
import { decodeHex } from "./hex.ts";
import { expandP256Point } from "./p256-point.ts";
import { ProtocolError } from "./protocol-error.ts";

/** How a public key was spelled: the text around the bytes, and the bytes around the point. */
export interface PublicKey {
  /** The point, uncompressed: 0x04, 32 bytes x, 32 bytes y. Two keys are the same key when these bytes are equal. */
  readonly point: Uint8Array;
  readonly encoding: "base58btc" | "multibase-hex" | "multibase-base64" | "hex" | "base64";
  readonly form: "spki" | "uncompressed" | "compressed" | "multikey";
}

const MAX_CHARS = 256;
const SPKI_HEADER = decodeHex("3059301306072a8648ce3d020106082a8648ce3d030107034200") as Uint8Array;
const MULTICODEC_P256 = Uint8Array.of(0x80, 0x24);

/**
 * Reads a P-256 public key in any spelling that wallets send.
 *
 * In: `z` with base58btc (or, as some wallets write, with hex), `m` with base64, `f` or `0x` with hex, or bare base64
 * or base64url; inside it SPKI DER of 91 bytes, a point of 65 or 33 bytes, or a multikey of 35 bytes.
 * Refuses: INVALID_PUBLIC_KEY for every other text, other curves, points off the curve, and bytes left over.
 * Source: S1 PATCH /public-key; decision I9.
 */
export function decodePublicKey(text: string): PublicKey {
  const spelling = typeof text === "string" && text.length <= MAX_CHARS ? decodeText(text) : undefined;
  const inner = spelling && decodeForm(spelling.bytes);
  const point = inner && expandP256Point(inner.point);
  if (spelling === undefined || inner === undefined || point === undefined) {
    throw new ProtocolError(
      "INVALID_PUBLIC_KEY",
      "This is not a P-256 public key. Send z followed by the base58btc of its SPKI DER (91 bytes).",
    );
  }
  return { point, encoding: spelling.encoding, form: inner.form };
}

/**
 * Wraps a point in the SPKI DER that signature libraries import.
 *
 * In: 65 bytes as `decodePublicKey` gives them. Out: 91 bytes.
 * Refuses: never.
 * Source: RFC 5480 section 2.
 */
export function pointToSpki(point: Uint8Array): Uint8Array {
  const spki = new Uint8Array(SPKI_HEADER.length + point.length);
  spki.set(SPKI_HEADER);
  spki.set(point, SPKI_HEADER.length);
  return spki;
}

/**
 * Checks for the all-zero key (`0x00..0`) that clients send to say "no key".
 *
 * Refuses: never.
 * Source: decision V17.
 */
export function isZeroKey(text: string): boolean {
  return /^0x0+$/i.test(text);
}

type Spelling = { readonly encoding: PublicKey["encoding"]; readonly bytes: Uint8Array };

function decodeText(text: string): Spelling | undefined {
  if (text.startsWith("0x")) {
    return spelt("hex", decodeHex(text.slice(2)));
  }
  const rest = text.slice(1);
  switch (text[0]) {
    case "z":
      // A key in hex always has a 0 in its first bytes, and base58 has no 0: never both.
      return spelt("base58btc", decodeBase58btc(rest)) ?? spelt("multibase-hex", decodeHex(rest));
    case "m":
      return spelt("multibase-base64", decodeBase64(rest));
    case "f":
      return spelt("multibase-hex", decodeHex(rest));
    default:
      // A bare key starts with M, A or B, so no bare key is mistaken for a prefixed one.
      return spelt("base64", decodeEitherBase64(text));
  }
}

function spelt(encoding: PublicKey["encoding"], bytes: Uint8Array | undefined): Spelling | undefined {
  return bytes && { encoding, bytes };
}

function decodeForm(bytes: Uint8Array): { readonly form: PublicKey["form"]; readonly point: Uint8Array } | undefined {
  if (bytes.length === 91 && startsWith(bytes, SPKI_HEADER)) {
    return { form: "spki", point: bytes.subarray(SPKI_HEADER.length) };
  }
  if (bytes.length === 35 && startsWith(bytes, MULTICODEC_P256)) {
    return { form: "multikey", point: bytes.subarray(MULTICODEC_P256.length) };
  }
  if (bytes.length === 65) {
    return { form: "uncompressed", point: bytes };
  }
  return bytes.length === 33 ? { form: "compressed", point: bytes } : undefined;
}

function startsWith(bytes: Uint8Array, start: Uint8Array): boolean {
  return start.every((byte, index) => bytes[index] === byte);
}
