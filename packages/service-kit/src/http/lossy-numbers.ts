/**
 * The member that stands for a number which a double cannot hold. The name carries U+0000, which no accepted payload
 * may contain, so a caller cannot forge one that would be taken for data.
 */
export const LOSSY_NUMBER_MEMBER = "\u0000number";

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const NUMBER_CHARACTERS: ReadonlySet<number> = new Set(Buffer.from("0123456789.eE+-"));
const NUMBER_STARTS: ReadonlySet<number> = new Set(Buffer.from("0123456789-"));
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Rewrites JSON text so that each number a double cannot hold becomes an object with the one member
 * {@link LOSSY_NUMBER_MEMBER}, which whoever checks payloads then refuses with its place.
 *
 * It works on the text because a reviver recurses, and a hostile body is nested as deep as it likes. It looks at each
 * character once, whatever the text is.
 * In: JSON text, valid or not. Out: the same text where nothing is lost. Refuses: never.
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
 * Tells whether a double cannot hold the number that this text writes: it overflows, it vanishes, or it is a whole number
 * written in digits whose value would change.
 *
 * Source: decision V7.
 */
export function isLossyNumber(text: string): boolean {
  const double = Number(text);
  if (!Number.isFinite(double)) return true;
  if (double === 0) return /^-?[0.]*[1-9]/.test(text);
  return /^-?\d+$/.test(text) && !Number.isSafeInteger(double) && BigInt(text) !== BigInt(double);
}
