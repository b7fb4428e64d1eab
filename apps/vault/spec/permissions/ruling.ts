import { anyOf, not, type Verdict } from "./verdict.ts";

/** What the oracle says of a write: whether it is allowed, and the codes with which it may be refused. */
export interface Ruling {
  readonly may: Verdict;
  readonly codes: readonly string[];
}

/** A reason to refuse: whether it is given, and the codes that name it. */
export interface Fault {
  readonly given: Verdict;
  readonly codes: readonly string[];
}

/** Puts reasons together: one is enough to refuse, and any of those given may be the one that is named. */
export function rule(faults: readonly Fault[]): Ruling {
  return {
    may: not(anyOf(faults.map(({ given }) => given))),
    codes: faults.flatMap(({ given, codes }) => (given === "no" ? [] : codes)),
  };
}

/** A reason that is given or not. */
export function fault(given: boolean | Verdict, ...codes: string[]): Fault {
  return { given: typeof given === "string" ? given : given ? "yes" : "no", codes };
}
