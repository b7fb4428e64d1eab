import { encodeHex } from "./hex.ts";

/** The group's order and zero, as lower-case hex: texts of one length compare as their numbers do. */
const N = "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551";
const ZERO = "0".repeat(N.length);
const SEQUENCE = 0x30;
const INTEGER = 0x02;

/**
 * Reads an ECDSA signature from strict DER: two minimal positive integers, short lengths, nothing left over.
 *
 * Out: r and s, 32 bytes each, or undefined for anything else.
 * Refuses: never.
 * Source: RFC 3279 section 2.2.3; decision I9.
 */
export function derSignatureToRaw(der: Uint8Array): Uint8Array | undefined {
  if (der[0] !== SEQUENCE || der[1] !== der.length - 2) {
    return undefined;
  }
  const r = readInteger(der, 2);
  const s = r && readInteger(der, r.end);
  if (r === undefined || s === undefined || s.end !== der.length) {
    return undefined;
  }
  const raw = new Uint8Array(64);
  raw.set(r.magnitude, 32 - r.magnitude.length);
  raw.set(s.magnitude, 64 - s.magnitude.length);
  return raw;
}

/**
 * Writes an ECDSA signature as strict DER; `derSignatureToRaw` is the inverse.
 *
 * In: r and s, 32 bytes each, both in range. Out: 8 to 72 bytes.
 * Refuses: never.
 * Source: RFC 3279 section 2.2.3; ecosystem.md section 16.
 */
export function rawSignatureToDer(raw: Uint8Array): Uint8Array {
  const content = [raw.subarray(0, 32), raw.subarray(32)].flatMap(writeInteger);
  return Uint8Array.from([SEQUENCE, content.length, ...content]);
}

/**
 * Checks that r and s are both above zero and below the group's order.
 *
 * In: 64 bytes.
 * Refuses: never.
 * Source: FIPS 186-5 section 6.4.2.
 */
export function isInRange(raw: Uint8Array): boolean {
  const text = encodeHex(raw);
  const [r, s] = [text.slice(0, N.length), text.slice(N.length)];
  return raw.length === 64 && r > ZERO && r < N && s > ZERO && s < N;
}

function writeInteger(number: Uint8Array): readonly number[] {
  const magnitude = number.subarray(number.findIndex((byte) => byte !== 0));
  const positive = (magnitude[0] as number) >= 0x80 ? [0, ...magnitude] : [...magnitude];
  return [INTEGER, positive.length, ...positive];
}

function readInteger(
  der: Uint8Array,
  start: number,
): { readonly magnitude: Uint8Array; readonly end: number } | undefined {
  const end = start + 2 + (der[start + 1] ?? 0);
  const content = der.subarray(start + 2, end);
  const [first, second] = content;
  if (der[start] !== INTEGER || first === undefined || first >= 0x80) {
    return undefined;
  }
  if (first !== 0) {
    return content.length <= 32 ? { magnitude: content, end } : undefined;
  }
  // A leading zero is allowed only before a byte that would otherwise be a negative sign; zero alone is out of range.
  return second !== undefined && second >= 0x80 && content.length <= 33
    ? { magnitude: content.subarray(1), end }
    : undefined;
}
