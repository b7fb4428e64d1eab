import { type StateKind, stateMark } from "@dataspace/ui/state-mark";
import type { Html } from "@dataspace/ui/html";
import { isTaken } from "../delivery/send-webhook.ts";
import { COUNTED_AT_MOST } from "../store/endpoint-health.ts";
import type { OneDelivery } from "../store/one-delivery.ts";
import type { Subscription } from "../store/subscription-rows.ts";

const ERRORS: Readonly<Record<string, string>> = {
  timeout: "No answer within 5 s",
  unreachable: "No connection",
  forbidden_target: "Address not allowed",
  malformed: "Answer is not HTTP",
  too_large: "Answer too large",
};

const WORDS = {
  none: "No answer",
  allOntologies: "All ontologies",
  allVaults: "all vaults",
  of: "of",
} as const;

const REASONS: Readonly<Record<string, string>> = {
  ...ERRORS,
  access: "Your access to the record ended",
  access_unknown: "For 24 hours it was not known whether you may read it",
  endpoint_unavailable: "The endpoint was unavailable for 24 hours",
};

const STATES: Readonly<Record<OneDelivery["state"], readonly [StateKind, string]>> = {
  pending: ["warn", "Queued"],
  delivered: ["ok", "Delivered"],
  dead: ["bad", "Dead letter"],
  skipped: ["off", "Skipped"],
};

/** What an endpoint answered, or why it did not. */
export interface EndpointAnswer {
  readonly status: number | null;
  readonly error: string | null;
}

/** Describes an endpoint's answer, or why there was none. Refuses: never. */
export function answerMark({ status, error }: EndpointAnswer): Html {
  if (status === null) return stateMark("bad", ERRORS[error ?? ""] ?? WORDS.none);
  return stateMark(isTaken({ status }) ? "ok" : "bad", String(status));
}

/** Describes an answer within a sentence, such as "answered 500". Refuses: never. */
export function answerWords({ status, error }: EndpointAnswer): string {
  if (status !== null) return `answered ${status}`;
  const words = ERRORS[error ?? ""] ?? WORDS.none;
  return `${words.charAt(0).toLowerCase()}${words.slice(1)}`;
}

/** Describes the state of a delivery. Refuses: never. */
export function deliveryMark({ state }: Pick<OneDelivery, "state">): Html {
  return stateMark(...STATES[state]);
}

/** Describes why a delivery was given up or skipped. Refuses: never. */
export function reasonWords(reason: string | null): string {
  if (reason === null) return "";
  return REASONS[reason] ?? `The endpoint answered ${reason.replace("status_", "")}`;
}

/** Writes a count that may have an upper limit. Refuses: never. */
export function countWords(count: number): string {
  return count < COUNTED_AT_MOST ? String(count) : `${COUNTED_AT_MOST} or more`;
}

/** Writes a number and its noun: `1 event`, `1,204 events`. Refuses: never. */
export function numberWords(count: number, noun: string): string {
  return `${count.toLocaleString("en-US")} ${noun}${count === 1 ? "" : "s"}`;
}

/** Describes a subscription's filters. Refuses: never. */
export function filterWords({ ontologyFilter, vaultFilter }: Subscription): string {
  const ontologies = listWords(ontologyFilter, { none: WORDS.allOntologies, many: "ontologies" });
  return `${ontologies} ${WORDS.of} ${listWords(vaultFilter, { none: WORDS.allVaults, many: "vaults" })}`;
}

function listWords(names: readonly string[], words: { readonly none: string; readonly many: string }): string {
  if (names.length === 0) return words.none;
  return names.length === 1 ? (names[0] as string) : `${names.length} ${words.many}`;
}
