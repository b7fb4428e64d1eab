import type { AttemptFilter } from "../store/search-attempts.ts";
import { readPickedTime } from "./picked-time.ts";

/** The filters of attempts as the form shows them, with what is wrong with each. */
export interface AttemptForm {
  readonly outcome: "" | "delivered" | "failed";
  readonly ontology: string;
  readonly since: string;
  readonly until: string;
  readonly faults: { readonly since?: string; readonly until?: string };
}

const WORDS = {
  since: "Enter a date and time, or leave it empty.",
  until: "Enter a time after the first one, or leave it empty.",
} as const;

const MAX_ONTOLOGY = 256;
const NUL = "\u0000";

/** Reads the filters from an address. A value that cannot be read is a fault of its field. Refuses: never. */
export function readAttemptForm(query: Readonly<Record<string, unknown>>): AttemptForm {
  const textOf = (name: string): string => (typeof query[name] === "string" ? query[name].trim() : "");
  const [outcome, since, until] = [textOf("outcome"), textOf("since"), textOf("until")];
  const [sinceMs, untilMs] = [readPickedTime(since), readPickedTime(until)];
  const isReversed = sinceMs !== undefined && untilMs !== undefined && untilMs <= sinceMs;
  return {
    outcome: outcome === "delivered" || outcome === "failed" ? outcome : "",
    ontology: textOf("ontology").replaceAll(NUL, "").slice(0, MAX_ONTOLOGY).toWellFormed(),
    since,
    until,
    faults: {
      ...(since !== "" && sinceMs === undefined && { since: WORDS.since }),
      ...(((until !== "" && untilMs === undefined) || isReversed) && { until: WORDS.until }),
    },
  };
}

/** Converts the filters for a search. A faulty one counts as empty. Refuses: never. */
export function toFilter({ outcome, ontology, since, until, faults }: AttemptForm): AttemptFilter {
  return {
    outcome: outcome === "" ? undefined : outcome,
    ontology: ontology === "" ? undefined : ontology,
    sinceMs: readPickedTime(since),
    untilMs: faults.until === undefined ? readPickedTime(until) : undefined,
  };
}

/** Whether any filter is set. Refuses: never. */
export function isFiltered(form: AttemptForm): boolean {
  return toQuery(form) !== "";
}

/** Writes the filters as a query without `?`. Refuses: never. */
export function toQuery({ outcome, ontology, since, until }: AttemptForm): string {
  const set = Object.entries({ outcome, ontology, since, until }).filter(([, value]) => value !== "");
  return new URLSearchParams(set).toString();
}
