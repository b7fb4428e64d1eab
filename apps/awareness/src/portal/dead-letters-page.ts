import { identifier } from "@dataspace/ui/copyable";
import { moment } from "@dataspace/ui/moment";
import { notice } from "@dataspace/ui/state-mark";
import { table } from "@dataspace/ui/table";
import { html } from "hono/html";
import type { Html } from "@dataspace/ui/html";
import type { Page, RedeliveryAnswer } from "../delivery/deliveries.ts";
import type { DeadLetter } from "../store/delivery-log.ts";
import type { Subscription } from "../store/subscription-rows.ts";
import { nextLink } from "./attempts-page.ts";
import { act, crumbs, type PortalPage } from "./frame.ts";
import type { Visit } from "./visits.ts";
import { reasonWords } from "./words.ts";

const COLUMNS = [
  { title: "Given up" },
  { title: "Event" },
  { title: "Record", kind: "long" },
  { title: "Version", kind: "number" },
  { title: "Ontology" },
  { title: "Why", kind: "long" },
  { title: "Again" },
] as const;

/** Renders a page of dead letters; `redriven` is what was just sent again. Refuses: never. Source: decision E7. */
export function deadLettersPage(
  visit: Visit,
  { id, targetUrl }: Subscription,
  shown: { readonly page: Page<DeadLetter>; readonly redriven?: RedeliveryAnswer; readonly nowMs: number },
): PortalPage {
  const { page, redriven, nowMs } = shown;
  const at = `/portal/subscriptions/${id}`;
  const isEmpty = page.entries.length === 0;
  const toRow = (letter: DeadLetter) => [
    moment(letter.diedAt, nowMs),
    html`<a href="${at}/events/${letter.eventId}">${identifier(letter.eventId)}</a>`,
    html`<span class="mono">${letter.id}</span>`,
    letter.streamVersion,
    letter.schemaId,
    reasonWords(letter.reason),
    act(visit, { at: `${at}/redrive`, text: "Send again", kind: "quiet", fields: { eventId: letter.eventId } }),
  ];
  return {
    title: "Dead letters",
    place: "subscriptions",
    main: html`${crumbs({ id, targetUrl })}
<div class="head"><div><h1>Dead letters</h1>
<p class="muted">Events that this endpoint did not take within 24 hours. Sent again, each goes in the order of its record's versions.</p></div>
${!isEmpty && act(visit, { at: `${at}/redrive`, text: "Send all again" })}</div>
${redriven && putBackNotice(redriven)}
${
  isEmpty
    ? html`<section class="card empty"><h2>None</h2><p>Nothing was given up.</p></section>`
    : table({ caption: "The latest first", columns: COLUMNS, rows: page.entries.map(toRow) })
}
${nextLink(`${at}/dead-letters`, page)}`,
  };
}

/** Shows what was redelivered. Refuses: never. */
export function putBackNotice({ deliveries, lanes, busyLanes, job }: RedeliveryAnswer): Html {
  return notice(
    busyLanes === 0 ? "ok" : "warn",
    html`<p><strong>${deliveries} events of ${lanes} records are on their way again.</strong>${
      busyLanes > 0 &&
      html` ${busyLanes} records were being delivered the whole time and were left out: ask again for them.`
    }${job !== undefined && html` The rest follows; the page Replay shows how far it is.`}</p>`,
  );
}
