import { copyable } from "@dataspace/ui/copyable";
import { moment } from "@dataspace/ui/moment";
import { facts } from "@dataspace/ui/table";
import { html } from "hono/html";
import type { Html } from "@dataspace/ui/html";
import type { LoggedAttempt } from "../store/delivery-log.ts";
import type { OneDelivery } from "../store/one-delivery.ts";
import type { Subscription } from "../store/subscription-rows.ts";
import { act, crumbs, type PortalPage } from "./frame.ts";
import type { Visit } from "./visits.ts";
import { answerMark, deliveryMark, reasonWords } from "./words.ts";

/** One event on its way to one subscription, whose consumer may read it now. */
export interface ShownEvent {
  readonly subscription: Subscription;
  readonly delivery: OneDelivery;
  readonly attempts: readonly LoggedAttempt[];
  readonly nowMs: number;
}

/**
 * Renders the page of one event: its state, each attempt with its answer, and the webhook as it is sent. Refuses:
 * never. Source: decision E7.
 */
export function eventPage(visit: Visit, { subscription, delivery, attempts, nowMs }: ShownEvent): PortalPage {
  const at = `/portal/subscriptions/${subscription.id}`;
  return {
    title: "Event",
    place: "subscriptions",
    main: html`${crumbs(subscription)}
<div class="head"><div class="stack"><h1>Event</h1>${deliveryMark(delivery)}</div>
${
  delivery.state === "dead" &&
  act(visit, { at: `${at}/redrive`, text: "Send again", fields: { eventId: delivery.eventId } })
}</div>
<section class="card" aria-label="About the event">${about(delivery, nowMs)}</section>
<section class="stack" aria-labelledby="attempts"><h2 id="attempts">Attempts</h2>
${attempts.length === 0 ? html`<p class="muted">None yet.</p>` : attempts.map((attempt) => oneAttempt(attempt, nowMs))}</section>
<section class="stack" aria-labelledby="webhook"><h2 id="webhook">Webhook</h2>
<pre class="wrapped" tabindex="0" aria-label="The webhook's body">${indented(delivery.body)}</pre></section>`,
  };
}

function about(delivery: OneDelivery, nowMs: number): Html {
  const { eventId, id, dsid, schemaId, streamVersion, operation, receivedAt, state, reason } = delivery;
  return facts([
    ["Event", copyable(eventId, "the event's id")],
    ["Record", html`<span class="mono">${id}</span>, version ${streamVersion} (${operation})`],
    ["Ontology", schemaId],
    ["Vault", html`<span class="mono">${dsid}</span>`],
    ["Received", moment(receivedAt, nowMs)],
    ...(state === "pending" ? waiting(delivery, nowMs) : []),
    ...(delivery.settledAt === null ? [] : [["Settled", moment(delivery.settledAt, nowMs)] as const]),
    ...(reason === null ? [] : [["Why", reasonWords(reason)] as const]),
  ]);
}

function waiting({ nextAt, deadline }: OneDelivery, nowMs: number): readonly (readonly [string, Html])[] {
  return [
    ["Next attempt", nextAt === null ? html`when what is before it is done` : moment(nextAt, nowMs)],
    ["Given up", html`${moment(deadline, nowMs)}, if nothing takes it`],
  ];
}

function oneAttempt(attempt: LoggedAttempt, nowMs: number): Html {
  return html`<article class="card"><div class="row"><strong>Attempt ${attempt.number}</strong>${answerMark(attempt)}
<span class="muted">${moment(attempt.startedAt, nowMs)}, in ${attempt.durationMs} ms</span></div>
${attempt.answer ? html`<pre class="wrapped" tabindex="0" aria-label="The answer to attempt ${attempt.number}">${attempt.answer}</pre>` : ""}</article>`;
}

function indented(json: string): string {
  return JSON.stringify(JSON.parse(json), undefined, 2);
}
