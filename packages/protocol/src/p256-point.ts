import { encodeHex } from "./hex.ts";

const P = 0xffffffff00000001000000000000000000000000ffffffffffffffffffffffffn;
const B = 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn;

/**
 * Reads a point of P-256 in SEC 1 form and writes it uncompressed.
 *
 * In: 65 bytes starting 0x04, or 33 bytes starting 0x02 or 0x03. Out: 65 bytes, or undefined when the bytes have another
 * form, a coordinate is not below the field's prime, or the point is not on the curve.
 * Refuses: never.
 * Source: decision I9; SEC 1 section 2.3.4.
 */
export function expandP256Point(bytes: Uint8Array): Uint8Array | undefined {
  const x = toInteger(bytes.subarray(1, 33));
  if (x >= P) {
    return undefined;
  }
  if (bytes.length === 65 && bytes[0] === 4) {
    const y = toInteger(bytes.subarray(33));
    return y < P && (y * y) % P === curveRightSide(x) ? bytes.slice() : undefined;
  }
  if (bytes.length === 33 && (bytes[0] === 2 || bytes[0] === 3)) {
    return decompress(x, bytes[0] === 3);
  }
  return undefined;
}

function decompress(x: bigint, yIsOdd: boolean): Uint8Array | undefined {
  const square = curveRightSide(x);
  // P = 3 (mod 4), so a square's root is its power (P + 1) / 4; for a non-square this gives another number.
  const root = power(square, (P + 1n) / 4n);
  if ((root * root) % P !== square) {
    return undefined;
  }
  const y = (root & 1n) === (yIsOdd ? 1n : 0n) ? root : P - root;
  const point = new Uint8Array(65);
  point[0] = 4;
  point.set(toBytes(x), 1);
  point.set(toBytes(y), 33);
  return point;
}

function curveRightSide(x: bigint): bigint {
  return (x * x * x + (P - 3n) * x + B) % P;
}

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  let factor = base;
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    result = (rest & 1n) === 1n ? (result * factor) % P : result;
    factor = (factor * factor) % P;
  }
  return result;
}

function toInteger(bytes: Uint8Array): bigint {
  return BigInt(`0x${encodeHex(bytes) || "0"}`);
}

function toBytes(value: bigint): Uint8Array {
  const bytes = new Uint8Array(32);
  let rest = value;
  for (let index = 31; index >= 0; index -= 1) {
    bytes[index] = Number(rest & 255n);
    rest >>= 8n;
  }
  return bytes;
}
