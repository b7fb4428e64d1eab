import { Refusal } from "./refusal.ts";

/** Counts the values in a JSON text while its bytes arrive. */
export interface JsonScan {
  /** Takes the next bytes. Refuses: PAYLOAD_TOO_LARGE (413) for more values than the bytes so far may contain. */
  readonly push: (bytes: Uint8Array) => void;
  /** Returns whether there was a number that a double may not represent exactly. */
  readonly hasSuspiciousNumber: () => boolean;
}

/** The number of objects, arrays and members that any body may contain, and how many more a longer one may. */
export const BASE_VALUES = 60_000;
const BYTES_PER_VALUE = 1_048_576 / 10_000;
/** An item costs the parser about an eighth of an object, an array or a member. */
const ITEMS_PER_VALUE = 8;
const SUSPICIOUS_DIGITS = 16;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** The class of a byte outside of strings. */
const KINDS = new Uint8Array(256);
const OPENS = 1;
const SEPARATES = 2;
const DIGIT = 3;
const EXPONENT = 4;
for (const byte of Buffer.from("{[:")) KINDS[byte] = OPENS;
for (const byte of Buffer.from(",")) KINDS[byte] = SEPARATES;
for (const byte of Buffer.from("0123456789.")) KINDS[byte] = DIGIT;
for (const byte of Buffer.from("eE")) KINDS[byte] = EXPONENT;

/**
 * Makes the scan of one JSON text. The time of `JSON.parse` depends on the number of values, not on bytes: 16 MiB of
 * `[],` take 1.5 s. A text may contain `baseValues` objects, arrays and members, and 10,000 more for each MiB; eight
 * items of an array count as one.
 *
 * In: bytes of UTF-8 in order, cut anywhere. Source: decision V25.
 */
export function createJsonScan(baseValues: number = BASE_VALUES): JsonScan {
  let inString = false;
  let isEscaped = false;
  let opened = 0;
  let separated = 0;
  let digits = 0;
  let isSuspicious = false;
  let sizeBytes = 0;
  return {
    push: (bytes) => {
      for (let at = 0; at < bytes.length; at += 1) {
        const byte = bytes[at] as number;
        if (inString) {
          if (isEscaped) isEscaped = false;
          else if (byte === BACKSLASH) isEscaped = true;
          else if (byte === QUOTE) inString = false;
          continue;
        }
        const kind = KINDS[byte] as number;
        if (kind === DIGIT) {
          digits += 1;
          if (digits >= SUSPICIOUS_DIGITS) isSuspicious = true;
          continue;
        }
        if (kind === EXPONENT && digits > 0) isSuspicious = true;
        digits = 0;
        if (kind === OPENS) opened += 1;
        else if (kind === SEPARATES) separated += 1;
        else if (byte === QUOTE) inString = true;
      }
      sizeBytes += bytes.length;
      if (opened + separated / ITEMS_PER_VALUE > baseValues + sizeBytes / BYTES_PER_VALUE) throw tooMany(baseValues);
    },
    hasSuspiciousNumber: () => isSuspicious,
  };
}

function tooMany(baseValues: number): Refusal {
  const message = `The request body holds more objects, arrays and members than ${baseValues} and 10,000 for each MiB; send less at once.`;
  return new Refusal("PAYLOAD_TOO_LARGE", message, { status: 413 });
}
