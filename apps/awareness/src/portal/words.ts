import { type StateKind, stateMark } from "@dataspace/ui/state-mark";
import { html } from "hono/html";
import type { Html } from "@dataspace/ui/html";
import { isTaken } from "../delivery/send-webhook.ts";
import { COUNTED_AT_MOST, type EndpointHealth } from "../store/endpoint-health.ts";
import type { OneDelivery } from "../store/one-delivery.ts";
import type { Subscription } from "../store/subscription-rows.ts";

const ERRORS: Readonly<Record<string, string>> = {
  timeout: "No answer in time",
  unreachable: "Nothing there",
  forbidden_target: "Address not allowed",
  malformed: "Not HTTP",
  too_large: "Answer too large",
};

const REASONS: Readonly<Record<string, string>> = {
  ...ERRORS,
  access: "The record's rules do not let you read it",
  endpoint_unavailable: "The endpoint was away for 24 hours",
};

const STATES: Readonly<Record<OneDelivery["state"], readonly [StateKind, string]>> = {
  pending: ["warn", "Waiting"],
  delivered: ["ok", "Delivered"],
  dead: ["bad", "Dead letter"],
  skipped: ["off", "Skipped"],
};

/** Says what an endpoint answered, or why there was no answer. Refuses: never. */
export function answerMark({ status, error }: { readonly status: number | null; readonly error: string | null }): Html {
  if (status === null) return stateMark("bad", ERRORS[error ?? ""] ?? "No answer");
  return stateMark(isTaken({ status }) ? "ok" : "bad", String(status));
}

/** Says how a subscription fares, in one word or two. Refuses: never. */
export function subscriptionMark({ active }: Subscription, health: EndpointHealth | undefined): Html {
  if (!active) return stateMark("off", "Paused");
  if (health?.openedAt) return stateMark("bad", "Not answering");
  if (health?.inFlightLimit) return stateMark("warn", "Coming back");
  return stateMark("ok", "Active");
}

/** Says where a delivery is. Refuses: never. */
export function deliveryMark({ state }: Pick<OneDelivery, "state">): Html {
  return stateMark(...STATES[state]);
}

/** Says why a delivery was given up or skipped. Refuses: never. */
export function reasonWords(reason: string | null): string {
  if (reason === null) return "";
  return REASONS[reason] ?? `The endpoint answered ${reason.replace("status_", "")}`;
}

/** Says a count that stops where counting does. Refuses: never. */
export function countWords(count: number): string {
  return count < COUNTED_AT_MOST ? String(count) : `${COUNTED_AT_MOST} or more`;
}

/** Says what a subscription hears. Refuses: never. */
export function filterWords({ ontologyFilter, vaultFilter }: Subscription): Html {
  const ontologies = ontologyFilter.length === 0 ? "every ontology" : list(ontologyFilter, "ontologies");
  const vaults = vaultFilter.length === 0 ? "every vault" : list(vaultFilter, "vaults");
  return html`${ontologies} of ${vaults}`;
}

function list(names: readonly string[], plural: string): string {
  return names.length === 1 ? (names[0] as string) : `${names.length} ${plural}`;
}
