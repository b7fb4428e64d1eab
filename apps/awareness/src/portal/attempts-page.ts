import { identifier } from "@dataspace/ui/copyable";
import { moment } from "@dataspace/ui/moment";
import { table } from "@dataspace/ui/table";
import { html } from "hono/html";
import type { Html } from "@dataspace/ui/html";
import type { Page } from "../delivery/deliveries.ts";
import type { LoggedAttempt } from "../store/delivery-log.ts";
import type { Subscription } from "../store/subscription-rows.ts";
import { crumbs, type PortalPage } from "./frame.ts";
import { answerMark } from "./words.ts";

const COLUMNS = [
  { title: "When" },
  { title: "Answer" },
  { title: "Attempt", kind: "number" },
  { title: "Took", kind: "number" },
  { title: "Event" },
] as const;

/** Shows attempts, newest first, each with a link to its event. Refuses: never. */
export function attemptTable(subscriptionId: string, attempts: readonly LoggedAttempt[], nowMs: number): Html {
  const rows = attempts.map((attempt) => [
    moment(attempt.startedAt, nowMs),
    answerMark(attempt),
    attempt.number,
    `${attempt.durationMs} ms`,
    html`<a href="/portal/subscriptions/${subscriptionId}/events/${attempt.eventId}">${identifier(attempt.eventId)}</a>`,
  ]);
  return table({ caption: "Attempts, the newest first", columns: COLUMNS, rows });
}

/** Renders a page of all attempts of a subscription. Refuses: never. Source: decision E7. */
export function attemptsPage({ id, targetUrl }: Subscription, page: Page<LoggedAttempt>, nowMs: number): PortalPage {
  const at = `/portal/subscriptions/${id}`;
  return {
    title: "Attempts",
    place: "subscriptions",
    main: html`${crumbs({ id, targetUrl })}
<h1>Attempts</h1>
${page.entries.length === 0 ? html`<p class="muted">There are none.</p>` : attemptTable(id, page.entries, nowMs)}
${nextLink(`${at}/attempts`, page)}`,
  };
}

/** Links to the next page, if there is one. Refuses: never. */
export function nextLink(at: string, { next }: Page<unknown>): Html {
  return html`${next && html`<nav aria-label="Pages"><a class="button quiet" href="${at}?after=${next}">Older</a></nav>`}`;
}
