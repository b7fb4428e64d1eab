import { identifier } from "@dataspace/ui/copyable";
import { emptyState } from "@dataspace/ui/empty-state";
import { moment } from "@dataspace/ui/moment";
import { notice } from "@dataspace/ui/state-mark";
import { table } from "@dataspace/ui/table";
import { html } from "hono/html";
import type { Html } from "@dataspace/ui/html";
import type { Page, RedeliveryAnswer } from "../delivery/deliveries.ts";
import type { DeadLetter } from "../store/delivery-log.ts";
import type { Subscription } from "../store/subscription-rows.ts";
import { nextLink } from "./attempts-page.ts";
import { type Fault, formFault } from "./fault-page.ts";
import { act, type PortalPage } from "./frame.ts";
import { subscriptionAddress, subscriptionFrame } from "./subscription-frame.ts";
import type { Visit } from "./visits.ts";
import { numberWords, reasonWords } from "./words.ts";

const WORDS = {
  lead: "Events are retried for 24 hours, then become dead letters. Send them again when your endpoint works; each record keeps its order.",
  all: "Send all again",
  one: "Send again",
  caption: "Newest first",
  died: "Given up",
  record: "Record",
  version: "version",
  reason: "Reason",
  event: "Event",
  action: "Action",
  none: "No dead letters",
  noneText: "Events are retried for 24 hours, then become dead letters. Nothing has been given up.",
  follow: "The rest follows. Replay shows the progress.",
  busy: "had an attempt in progress and were left out. Send them again in a moment.",
  nothing: "Nothing was sent again: the event is queued already, or its record is being delivered now.",
} as const;

const COLUMNS = [
  { title: WORDS.died },
  { title: WORDS.reason, kind: "long" },
  { title: WORDS.record, kind: "long" },
  { title: WORDS.event },
  { title: WORDS.action },
] as const;

/** The content of the page; `redriven` is what was just sent again. */
export interface ShownDeadLetters {
  readonly page: Page<DeadLetter>;
  readonly redriven?: RedeliveryAnswer;
  readonly fault?: Fault;
  readonly nowMs: number;
}

/** Renders a page of dead letters. Refuses: never. Source: decision E7. */
export function deadLettersPage(visit: Visit, subscription: Subscription, shown: ShownDeadLetters): PortalPage {
  const { page, redriven, fault, nowMs } = shown;
  const at = subscriptionAddress(subscription);
  const isEmpty = page.entries.length === 0;
  const toRow = (letter: DeadLetter) => [
    moment(letter.diedAt, nowMs),
    reasonWords(letter.reason),
    html`<span>${identifier(letter.id)}<span class="clip muted small">${letter.schemaId}, ${WORDS.version} ${letter.streamVersion}</span></span>`,
    html`<a href="${at}/events/${letter.eventId}">${identifier(letter.eventId)}</a>`,
    act(visit, { at: `${at}/redrive`, text: WORDS.one, kind: "quiet", fields: { eventId: letter.eventId } }),
  ];
  return subscriptionFrame(subscription, {
    part: "dead-letters",
    action: isEmpty
      ? undefined
      : act(visit, { at: `${at}/redrive`, text: WORDS.all, kind: "primary", icon: "arrow-path" }),
    main: html`${formFault(fault, [])}${redriven && putBackNotice(redriven)}
${
  isEmpty
    ? html`<section class="card">${emptyState({ illustration: "done", title: WORDS.none, text: WORDS.noneText })}</section>`
    : html`<p class="muted">${WORDS.lead}</p>${table({ caption: WORDS.caption, columns: COLUMNS, rows: page.entries.map(toRow) })}`
}
${nextLink(`${at}/dead-letters`, page)}`,
  });
}

/** Shows what was sent again. Refuses: never. */
export function putBackNotice({ deliveries, lanes, busyLanes, job }: RedeliveryAnswer): Html {
  if (deliveries === 0 && busyLanes === 0 && job === undefined) return notice("plain", WORDS.nothing);
  return notice(
    busyLanes === 0 ? "ok" : "warn",
    html`<p><strong>${queuedWords(deliveries, lanes)}</strong>${
      busyLanes > 0 && html` ${numberWords(busyLanes, "record")} ${WORDS.busy}`
    }${job !== undefined && html` ${WORDS.follow}`}</p>`,
  );
}

function queuedWords(deliveries: number, lanes: number): string {
  return `${numberWords(deliveries, "event")} of ${numberWords(lanes, "record")} ${deliveries === 1 ? "is" : "are"} queued again.`;
}
