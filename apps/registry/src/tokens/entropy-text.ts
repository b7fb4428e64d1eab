const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const LENGTH = 20;
// The largest multiple of 62 in a byte. Larger bytes are discarded: modulo 62 they would favour eight characters.
const FAIR_BYTES = 248;

/**
 * Makes the random part of an entropy token: 20 characters of A-Z, a-z, 0-9, each equally likely (119 bits).
 *
 * In: `randomBytes`, a cryptographic source. Refuses: never. Source: decision X2.
 */
export function createEntropyText(randomBytes: (sizeBytes: number) => Uint8Array): string {
  let text = "";
  while (text.length < LENGTH) {
    const fair = randomBytes(LENGTH).filter((byte) => byte < FAIR_BYTES);
    text += Array.from(fair, (byte) => ALPHABET[byte % ALPHABET.length]).join("");
  }
  return text.slice(0, LENGTH);
}
