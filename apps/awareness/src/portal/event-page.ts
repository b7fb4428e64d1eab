import { copyableBlock, copyableIdentifier } from "@dataspace/ui/copyable";
import { emptyState } from "@dataspace/ui/empty-state";
import { moment } from "@dataspace/ui/moment";
import { chip, notice } from "@dataspace/ui/state-mark";
import { facts } from "@dataspace/ui/table";
import { html } from "hono/html";
import type { Html } from "@dataspace/ui/html";
import type { RedeliveryAnswer } from "../delivery/deliveries.ts";
import type { LoggedAttempt } from "../store/delivery-log.ts";
import type { OneDelivery } from "../store/one-delivery.ts";
import type { Subscription } from "../store/subscription-rows.ts";
import { putBackNotice } from "./dead-letters-page.ts";
import { act, type PortalPage } from "./frame.ts";
import { crumbs, subscriptionAddress } from "./subscription-frame.ts";
import type { Visit } from "./visits.ts";
import { answerMark, deliveryMark, reasonWords } from "./words.ts";

const WORDS = {
  title: "Event",
  resend: "Resend",
  queued: "This event is queued. It is sent without your help.",
  about: "About the event",
  event: "Event",
  record: "Record",
  version: "Version",
  ontology: "Ontology",
  owner: "Owner",
  received: "Received",
  next: "Next attempt",
  afterEarlier: "After the earlier events of this record",
  deadline: "Given up",
  ifFailing: "if it still fails",
  settled: "Settled",
  reason: "Reason",
  request: "Request",
  requestLead: "As it is sent. Time, attempt and signature are new at each attempt.",
  body: "the request body",
  responses: "Responses",
  attempt: "Attempt",
  none: "No attempts yet",
  noneText: "Each answer of your endpoint appears here.",
  noBody: "Empty body",
  answer: "Response to attempt",
  headers: "Headers of the request",
} as const;

/** One event on its way to one subscription, whose consumer may read it now. */
export interface ShownEvent {
  readonly subscription: Subscription;
  readonly delivery: OneDelivery;
  readonly attempts: readonly LoggedAttempt[];
  /** The result of "Resend", where it was just pressed. */
  readonly resent?: RedeliveryAnswer | undefined;
  readonly nowMs: number;
}

/**
 * Renders the page of one event: its state, the request, and the response to each attempt. Refuses: never. Source:
 * decision E7.
 */
export function eventPage(visit: Visit, shown: ShownEvent): PortalPage {
  const { subscription, delivery, attempts, resent, nowMs } = shown;
  const at = `${subscriptionAddress(subscription)}/events/${delivery.eventId}`;
  const isQueued = delivery.state === "pending";
  return {
    title: WORDS.title,
    place: "subscriptions",
    main: html`<div class="stack">${crumbs(subscription)}
<div class="head level"><div class="stack tight"><h1>${WORDS.title}</h1><div class="row">${deliveryMark(delivery)}${chip("plain", delivery.operation)}</div></div>
${!isQueued && act(visit, { at: `${at}/resend`, text: WORDS.resend, kind: "primary", icon: "arrow-path" })}</div></div>
${resent ? putBackNotice(resent) : isQueued && notice("plain", WORDS.queued)}
<section class="card" aria-label="${WORDS.about}">${about(delivery, nowMs)}</section>
<section class="stack" aria-labelledby="responses"><h2 id="responses">${WORDS.responses}</h2>
${
  attempts.length === 0
    ? html`<div class="card">${emptyState({ illustration: "deliveries", title: WORDS.none, text: WORDS.noneText })}</div>`
    : attempts.map((attempt) => oneResponse(attempt, nowMs))
}</section>
<section class="card" aria-labelledby="request"><div><h2 id="request">${WORDS.request}</h2><p class="muted">${WORDS.requestLead}</p></div>
<pre class="wrapped" tabindex="0" aria-label="${WORDS.headers}">${requestHead(shown)}</pre>
${copyableBlock(indented(delivery.body), WORDS.body)}</section>`,
  };
}

function about(delivery: OneDelivery, nowMs: number): Html {
  const { eventId, id, dsid, schemaId, streamVersion, receivedAt, state, reason } = delivery;
  return facts([
    [WORDS.event, copyableIdentifier(eventId, "the event id")],
    [WORDS.record, copyableIdentifier(id, "the record id")],
    [WORDS.version, streamVersion],
    [WORDS.ontology, schemaId],
    [WORDS.owner, copyableIdentifier(dsid, "the owner's eName")],
    [WORDS.received, moment(receivedAt, nowMs)],
    ...(state === "pending" ? waiting(delivery, nowMs) : []),
    ...(delivery.settledAt === null ? [] : [[WORDS.settled, moment(delivery.settledAt, nowMs)] as const]),
    ...(reason === null ? [] : [[WORDS.reason, reasonWords(reason)] as const]),
  ]);
}

function waiting({ nextAt, deadline }: OneDelivery, nowMs: number): readonly (readonly [string, Html | string])[] {
  return [
    [WORDS.next, nextAt === null ? WORDS.afterEarlier : moment(nextAt, nowMs)],
    [WORDS.deadline, html`${moment(deadline, nowMs)}, ${WORDS.ifFailing}`],
  ];
}

function oneResponse(attempt: LoggedAttempt, nowMs: number): Html {
  return html`<article class="card"><div class="row"><strong>${WORDS.attempt} ${attempt.number}</strong>${answerMark(attempt)}
<span class="muted small">${moment(attempt.startedAt, nowMs)}, ${attempt.durationMs.toLocaleString("en-US")} ms</span></div>
${
  attempt.answer
    ? html`<pre class="wrapped" tabindex="0" aria-label="${WORDS.answer} ${attempt.number}">${attempt.answer}</pre>`
    : attempt.status !== null && html`<p class="muted small">${WORDS.noBody}</p>`
}</article>`;
}

function requestHead({ subscription, delivery, attempts }: ShownEvent): string {
  const last = attempts[0];
  return [
    `POST ${subscription.targetUrl}`,
    "content-type: application/json",
    `webhook-id: ${delivery.eventId}`,
    `webhook-subscription-id: ${subscription.id}`,
    ...(last === undefined ? [] : [`webhook-delivery-id: ${last.id}`, `webhook-attempt: ${last.number}`]),
    "webhook-timestamp, webhook-signature, webhook-binding",
  ].join("\n");
}

function indented(json: string): string {
  return JSON.stringify(JSON.parse(json), undefined, 2);
}
