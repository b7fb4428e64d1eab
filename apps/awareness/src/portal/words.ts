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
  access_unknown: "For 24 hours it was not known whether you may read it",
  endpoint_unavailable: "The endpoint was away for 24 hours",
};

const STATES: Readonly<Record<OneDelivery["state"], readonly [StateKind, string]>> = {
  pending: ["warn", "Waiting"],
  delivered: ["ok", "Delivered"],
  dead: ["bad", "Dead letter"],
  skipped: ["off", "Skipped"],
};

/** Describes an endpoint's answer, or why there was none. Refuses: never. */
export function answerMark({ status, error }: { readonly status: number | null; readonly error: string | null }): Html {
  if (status === null) return stateMark("bad", ERRORS[error ?? ""] ?? "No answer");
  return stateMark(isTaken({ status }) ? "ok" : "bad", String(status));
}

/** Describes a subscription's health in one or two words. Refuses: never. */
export function subscriptionMark({ active }: Subscription, health: EndpointHealth | undefined): Html {
  if (!active) return stateMark("off", "Paused");
  if (health?.openedAt) return stateMark("bad", "Not answering");
  if (health?.inFlightLimit) return stateMark("warn", "Coming back");
  return stateMark("ok", "Active");
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

/** Describes a subscription's filters. Refuses: never. */
export function filterWords({ ontologyFilter, vaultFilter }: Subscription): Html {
  const ontologies = ontologyFilter.length === 0 ? "every ontology" : list(ontologyFilter, "ontologies");
  const vaults = vaultFilter.length === 0 ? "every vault" : list(vaultFilter, "vaults");
  return html`${ontologies} of ${vaults}`;
}

function list(names: readonly string[], plural: string): string {
  return names.length === 1 ? (names[0] as string) : `${names.length} ${plural}`;
}
