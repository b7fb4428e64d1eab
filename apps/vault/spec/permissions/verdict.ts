/** What the oracle says: `unclear` where the spec and the decisions do not decide. */
export type Verdict = "yes" | "no" | "unclear";

/** One of them is enough. */
export function anyOf(verdicts: readonly Verdict[]): Verdict {
  if (verdicts.includes("yes")) return "yes";
  return verdicts.includes("unclear") ? "unclear" : "no";
}

/** All of them are needed. */
export function allOf(verdicts: readonly Verdict[]): Verdict {
  return not(anyOf(verdicts.map(not)));
}

export function not(verdict: Verdict): Verdict {
  return { yes: "no", no: "yes", unclear: "unclear" }[verdict] as Verdict;
}

/** What holds in every reading of the spec: the common verdict, or unclear. */
export function inEvery(verdicts: readonly Verdict[]): Verdict {
  const [first = "unclear"] = verdicts;
  return verdicts.every((verdict) => verdict === first) ? first : "unclear";
}

export function verdictOf(holds: boolean): Verdict {
  return holds ? "yes" : "no";
}
