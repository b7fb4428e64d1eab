import { button, linkButton } from "@dataspace/ui/button";
import { identifier } from "@dataspace/ui/copyable";
import { emptyState } from "@dataspace/ui/empty-state";
import { field, select } from "@dataspace/ui/field";
import { moment } from "@dataspace/ui/moment";
import { table } from "@dataspace/ui/table";
import { html } from "hono/html";
import type { Html } from "@dataspace/ui/html";
import type { LoggedAttempt } from "../store/delivery-log.ts";
import type { FoundAttempts } from "../store/search-attempts.ts";
import type { Subscription } from "../store/subscription-rows.ts";
import { type AttemptForm, isFiltered, toQuery } from "./attempt-form.ts";
import type { PortalPage } from "./frame.ts";
import { subscriptionAddress, subscriptionFrame } from "./subscription-frame.ts";
import { answerMark } from "./words.ts";

const WORDS = {
  filters: "Filters",
  outcome: "Status",
  ontology: "Ontology",
  since: "From (UTC)",
  until: "To (UTC)",
  apply: "Filter",
  clear: "Clear",
  caption: "Attempts, newest first",
  when: "When",
  answer: "Status",
  number: "Attempt",
  took: "Duration",
  event: "Event",
  none: "No attempts yet",
  noneText: "Each request to your endpoint is listed here for 30 days.",
  noMatch: "No matching attempts",
  noMatchText: "Change the filters, or search further back.",
  older: "Older",
  further: "Search older attempts",
  newest: "Back to the newest",
  pages: "Pages",
} as const;

const OUTCOMES = [
  { value: "", text: "All" },
  { value: "delivered", text: "Delivered (2xx)" },
  { value: "failed", text: "Failed" },
] as const;

const WHEN = { title: WORDS.when } as const;
const REST = [
  { title: WORDS.answer },
  { title: WORDS.number, kind: "number" },
  { title: WORDS.took, kind: "number" },
  { title: WORDS.event },
] as const;
const PLAIN_COLUMNS = [WHEN, ...REST] as const;
const FULL_COLUMNS = [WHEN, { title: WORDS.ontology, kind: "long" }, ...REST] as const;

/** Shows attempts, newest first, each with a link to its event. Refuses: never. */
export function attemptTable(
  subscription: Subscription,
  attempts: readonly (LoggedAttempt & { readonly schemaId?: string | null })[],
  nowMs: number,
): Html {
  const hasOntology = attempts.some(({ schemaId }) => schemaId !== undefined);
  const rows = attempts.map((attempt) => [
    moment(attempt.startedAt, nowMs),
    ...(hasOntology ? [html`<span class="clip">${attempt.schemaId ?? ""}</span>`] : []),
    answerMark(attempt),
    attempt.number,
    `${attempt.durationMs.toLocaleString("en-US")} ms`,
    html`<a href="${subscriptionAddress(subscription)}/events/${attempt.eventId}">${identifier(attempt.eventId)}</a>`,
  ]);
  return table({ caption: WORDS.caption, columns: hasOntology ? FULL_COLUMNS : PLAIN_COLUMNS, rows });
}

/** A page of attempts, with the filter that selected them. */
export interface ShownAttempts {
  readonly form: AttemptForm;
  readonly found: FoundAttempts;
  /** Whether this is a later page of the list. */
  readonly isLater: boolean;
  readonly nowMs: number;
}

/** Renders a page of a subscription's attempts. Refuses: never. Source: decision E7. */
export function attemptsPage(subscription: Subscription, { form, found, isLater, nowMs }: ShownAttempts): PortalPage {
  const at = `${subscriptionAddress(subscription)}/attempts`;
  return subscriptionFrame(subscription, {
    part: "attempts",
    main: html`${filters(at, form)}
${found.entries.length === 0 ? nothing(form) : attemptTable(subscription, found.entries, nowMs)}
${pageLinks({ at, form, found, isLater })}`,
  });
}

function filters(at: string, form: AttemptForm): Html {
  return html`<form class="card inline filters" method="get" action="${at}" aria-label="${WORDS.filters}">
${select({ name: "outcome", label: WORDS.outcome, value: form.outcome, options: OUTCOMES })}
${field({ name: "ontology", label: WORDS.ontology, value: form.ontology, maxLength: 256 })}
${field({ name: "since", label: WORDS.since, type: "datetime-local", value: form.since, fault: form.faults.since })}
${field({ name: "until", label: WORDS.until, type: "datetime-local", value: form.until, fault: form.faults.until })}
<div class="row">${button({ kind: "primary", text: WORDS.apply, icon: "funnel" })}${
    isFiltered(form) && linkButton(at, { kind: "plain", text: WORDS.clear })
  }</div></form>`;
}

function nothing(form: AttemptForm): Html {
  const [illustration, title, text] = isFiltered(form)
    ? (["search", WORDS.noMatch, WORDS.noMatchText] as const)
    : (["deliveries", WORDS.none, WORDS.noneText] as const);
  return html`<section class="card">${emptyState({ illustration, title, text })}</section>`;
}

function pageLinks({
  at,
  form,
  found,
  isLater,
}: Omit<ShownAttempts, "nowMs"> & { readonly at: string }): Html | string {
  const { next, entries } = found;
  if (next === null && !isLater) return "";
  const filter = toQuery(form);
  const newest = filter === "" ? at : `${at}?${filter}`;
  const older = `${at}?${[filter, `after=${next}`].filter(Boolean).join("&")}`;
  return html`<nav class="row" aria-label="${WORDS.pages}">${
    isLater && linkButton(newest, { kind: "plain", text: WORDS.newest })
  }${next !== null && linkButton(older, { kind: "quiet", text: entries.length === 0 ? WORDS.further : WORDS.older })}</nav>`;
}

/** Links to the next page of a list, if there is one. Refuses: never. */
export function nextLink(at: string, { next }: { readonly next: string | null }): Html {
  return html`${next && html`<nav class="row" aria-label="${WORDS.pages}">${linkButton(`${at}?after=${next}`, { kind: "quiet", text: WORDS.older })}</nav>`}`;
}
