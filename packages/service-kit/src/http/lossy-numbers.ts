/**
 * The member that stands for a number which a double cannot hold. The name carries U+0000, which no accepted payload
 * may contain, so a caller cannot forge one that would be taken for data.
 */
export const LOSSY_NUMBER_MEMBER = "\u0000number";

// A number is suspicious when it has sixteen digits or an exponent of three; all others are held exactly enough.
const SUSPICIOUS = /[[:,\s-](?:\d[\d.]{15}|\d[\d.]*[eE][+-]?\d{3})/;
const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/gs;

/**
 * Rewrites JSON text so that each number a double cannot hold becomes an object with the one member
 * {@link LOSSY_NUMBER_MEMBER}, which whoever checks payloads then refuses with its place.
 *
 * It works on the text because a reviver recurses, and a hostile body is nested as deep as it likes.
 * In: JSON text, valid or not. Out: the same text where nothing is lost. Refuses: never.
 * Source: decision V7 (NUMBER_PRECISION).
 */
export function markLossyNumbers(json: string): string {
  if (!SUSPICIOUS.test(json)) return json;
  return json.replace(STRING_OR_NUMBER, (token) =>
    token.startsWith('"') || !isLossyNumber(token) ? token : `{"\\u0000number":"${token}"}`,
  );
}

/**
 * Tells whether a double cannot hold the number that this text writes: it overflows, it vanishes, or it is a whole number
 * written in digits whose value would change.
 *
 * Source: decision V7.
 */
export function isLossyNumber(text: string): boolean {
  const double = Number(text);
  if (!Number.isFinite(double)) return true;
  if (double === 0) return /[1-9]/.test(text.replace(/[eE].*$/s, ""));
  return /^-?\d+$/.test(text) && !Number.isSafeInteger(double) && BigInt(text) !== BigInt(double);
}
