import { linkButton } from "@dataspace/ui/button";
import { emptyState } from "@dataspace/ui/empty-state";
import { moment } from "@dataspace/ui/moment";
import { table } from "@dataspace/ui/table";
import { html } from "hono/html";
import type { Html } from "@dataspace/ui/html";
import type { Subscription } from "../store/subscription-rows.ts";
import { decideEndpointState, endpointSentence } from "./endpoint-state.ts";
import type { PortalPage } from "./frame.ts";
import type { ShownHealth } from "./shown-health.ts";
import { subscriptionAddress, withoutScheme } from "./subscription-frame.ts";
import { countWords, filterWords } from "./words.ts";

const WORDS = {
  title: "Subscriptions",
  lead: "Send signed, ordered webhooks to your endpoint when records change.",
  add: "New subscription",
  caption: "Your subscriptions",
  endpoint: "Endpoint",
  state: "State",
  last: "Last attempt",
  waiting: "Queued",
  dead: "Dead letters",
  never: "Never",
  empty: "No subscriptions yet",
  emptyText:
    "Enter the address of an endpoint. It proves by a signed challenge that it wants webhooks, and then receives every change that you may read.",
} as const;

const COLUMNS = [
  { title: WORDS.endpoint, kind: "long" },
  { title: WORDS.state, kind: "long" },
  { title: WORDS.last },
  { title: WORDS.waiting, kind: "number" },
  { title: WORDS.dead, kind: "number" },
] as const;

/** The subscriptions of a consumer, and the health of each. */
export interface ShownSubscriptions {
  readonly subscriptions: readonly Subscription[];
  readonly healthById: ReadonlyMap<string, ShownHealth>;
  readonly nowMs: number;
}

/**
 * Renders the list of a consumer's subscriptions, each with its endpoint's health. Refuses: never. Source: decision E7.
 */
export function subscriptionListPage(shown: ShownSubscriptions): PortalPage {
  const isEmpty = shown.subscriptions.length === 0;
  return {
    title: WORDS.title,
    place: "subscriptions",
    main: html`<div class="head level"><div><h1>${WORDS.title}</h1><p class="muted">${WORDS.lead}</p></div>${!isEmpty && addButton()}</div>
${isEmpty ? noSubscriptions() : subscriptionTable(shown)}`,
  };
}

/** Shows the subscriptions as a table. Refuses: never. */
export function subscriptionTable({ subscriptions, healthById, nowMs }: ShownSubscriptions): Html {
  const rows = subscriptions.map((one) => toRow(one, healthById.get(one.id), nowMs));
  return table({ caption: WORDS.caption, columns: COLUMNS, rows });
}

/** Shows that there is no subscription, and how to make one. Refuses: never. */
export function noSubscriptions(): Html {
  return html`<section class="card">${emptyState({
    illustration: "deliveries",
    title: WORDS.empty,
    text: WORDS.emptyText,
    action: addButton(),
  })}</section>`;
}

/** Links to the form of a new subscription. Refuses: never. */
export function addButton(): Html {
  return linkButton("/portal/subscriptions/new", { kind: "primary", text: WORDS.add, icon: "plus" });
}

function toRow(one: Subscription, health: ShownHealth | undefined, nowMs: number): readonly (Html | string | number)[] {
  const at = subscriptionAddress(one);
  return [
    html`<a class="clamp" href="${at}">${withoutScheme(one.targetUrl)}</a><span class="clip muted small">${filterWords(one)}</span>`,
    endpointSentence(decideEndpointState(one, health, nowMs)),
    health?.last ? moment(health.last.at, nowMs) : WORDS.never,
    countWords(health?.waiting ?? 0),
    health?.dead ? html`<a href="${at}/dead-letters">${countWords(health.dead)}</a>` : "0",
  ];
}
