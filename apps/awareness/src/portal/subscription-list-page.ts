import { moment } from "@dataspace/ui/moment";
import { table } from "@dataspace/ui/table";
import { html } from "hono/html";
import type { Html } from "@dataspace/ui/html";
import type { Subscription } from "../store/subscription-rows.ts";
import type { PortalPage } from "./frame.ts";
import type { ShownHealth } from "./shown-health.ts";
import { answerMark, countWords, filterWords, subscriptionMark } from "./words.ts";

const COLUMNS = [
  { title: "Target", kind: "long" },
  { title: "State" },
  { title: "Hears", kind: "long" },
  { title: "Last attempt" },
  { title: "Waiting", kind: "number" },
  { title: "Dead letters", kind: "number" },
] as const;

/**
 * Renders the list of a consumer's subscriptions, each with its endpoint's health. Refuses: never. Source: decision E7.
 */
export function subscriptionListPage(
  subscriptions: readonly Subscription[],
  healthById: ReadonlyMap<string, ShownHealth>,
  nowMs: number,
): PortalPage {
  const rows = subscriptions.map((one) => toRow(one, healthById.get(one.id), nowMs));
  return {
    title: "Subscriptions",
    place: "subscriptions",
    main: html`<div class="head"><div><h1>Subscriptions</h1>
<p class="muted">Each sends every change that it may receive to one of your endpoints, signed and in order.</p></div>
<a class="button" href="/portal/subscriptions/new">New subscription</a></div>
${rows.length === 0 ? nothingYet() : table({ caption: "Your subscriptions", columns: COLUMNS, rows })}`,
  };
}

function toRow(one: Subscription, health: ShownHealth | undefined, nowMs: number): readonly (Html | string | number)[] {
  const at = `/portal/subscriptions/${one.id}`;
  return [
    html`<a href="${at}">${one.targetUrl}</a>`,
    subscriptionMark(one, health),
    filterWords(one),
    health?.last
      ? html`${answerMark(health.last)} <span class="muted small">${moment(health.last.at, nowMs)}</span>`
      : "None yet",
    countWords(health?.waiting ?? 0),
    health?.dead ? html`<a href="${at}/dead-letters">${countWords(health.dead)}</a>` : "0",
  ];
}

function nothingYet(): Html {
  return html`<section class="card empty"><h2>Nothing subscribed yet</h2>
<p>Give the address of an endpoint that takes webhooks. It is asked once, with a signed challenge, whether it wants them;
from then on it receives each matching change within milliseconds, retried for 24 hours if it does not answer.</p>
<a class="button" href="/portal/subscriptions/new">New subscription</a></section>`;
}
