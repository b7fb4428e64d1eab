const WIDENINGS = 60;
const HALVINGS = 120;

/**
 * Finds the operand for which a rising or falling calculation gives exactly `result`. Division does not always undo multiplication, so
 * the guess may be a little off.
 *
 * Out: the guess where no double gives it. Refuses: never.
 */
export function settleOperand(calculate: (operand: number) => number, guess: number, result: number): number {
  const at = calculate(guess);
  if (at === result || !Number.isFinite(guess) || !Number.isFinite(at)) return guess;
  let width = Math.max(Math.abs(guess), Number.MIN_VALUE) * Number.EPSILON;
  for (let widening = 0; widening < WIDENINGS; widening += 1) {
    for (const other of [guess - width, guess + width]) {
      const there = calculate(other);
      if (there === result) return other;
      if (there > result !== at > result) return halve(calculate, { result, near: guess, far: other }) ?? guess;
    }
    width *= 2;
  }
  return guess;
}

interface Interval {
  readonly result: number;
  readonly near: number;
  readonly far: number;
}

function halve(calculate: (operand: number) => number, { result, near, far }: Interval): number | undefined {
  const nearIsAbove = calculate(near) > result;
  let [same, other] = [near, far];
  for (let halving = 0; halving < HALVINGS; halving += 1) {
    const middle = same + (other - same) / 2;
    if (middle === same || middle === other) return undefined;
    const there = calculate(middle);
    if (there === result) return middle;
    if (there > result === nearIsAbove) same = middle;
    else other = middle;
  }
  return undefined;
}
