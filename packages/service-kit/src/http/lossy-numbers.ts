/**
 * The member that marks a number which a double cannot represent. The name contains U+0000, which no accepted payload
 * may contain, so a caller cannot forge it.
 */
export const LOSSY_NUMBER_MEMBER = "\u0000number";

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const NUMBER_CHARACTERS: ReadonlySet<number> = new Set(Buffer.from("0123456789.eE+-"));
const NUMBER_STARTS: ReadonlySet<number> = new Set(Buffer.from("0123456789-"));
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Rewrites JSON text: each number that a double cannot represent becomes an object with the single member {@link
 * LOSSY_NUMBER_MEMBER}. The check of payloads then refuses it and names its place.
 *
 * It works on the text because a reviver recurses, and a hostile body may be nested to any depth. It reads each
 * character once.
 * In: JSON text, valid or not. Out: the same text where all numbers are exact. Refuses: never.
 * Source: decisions V7 (NUMBER_PRECISION), V25.
 */
export function markLossyNumbers(json: string): string {
  const parts: string[] = [];
  let copied = 0;
  let at = 0;
  while (at < json.length) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfString(json, at);
    } else if (NUMBER_STARTS.has(code)) {
      const end = endOfNumber(json, at);
      const text = json.slice(at, end);
      if (NUMBER.test(text) && isLossyNumber(text)) {
        parts.push(json.slice(copied, at), `{"\\u0000number":"${text}"}`);
        copied = end;
      }
      at = end;
    } else {
      at += 1;
    }
  }
  return copied === 0 ? json : parts.join("") + json.slice(copied);
}

function endOfString(json: string, start: number): number {
  let at = start + 1;
  while (at < json.length && json.charCodeAt(at) !== QUOTE) at += json.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at + 1;
}

function endOfNumber(json: string, start: number): number {
  let end = start + 1;
  while (NUMBER_CHARACTERS.has(json.charCodeAt(end))) end += 1;
  return end;
}

/**
 * Checks whether a double cannot represent the number in this text: it overflows, it becomes zero, or it is a whole
 * number whose value would change.
 *
 * Source: decision V7.
 */
export function isLossyNumber(text: string): boolean {
  const double = Number(text);
  if (!Number.isFinite(double)) return true;
  if (double === 0) return /^-?[0.]*[1-9]/.test(text);
  return /^-?\d+$/.test(text) && !Number.isSafeInteger(double) && BigInt(text) !== BigInt(double);
}
