import { field } from "@dataspace/ui/field";
import { notice } from "@dataspace/ui/state-mark";
import { html } from "hono/html";
import type { Html } from "@dataspace/ui/html";
import type { RedeliveryAnswer } from "../delivery/deliveries.ts";
import type { ReplayJob } from "../store/replay-jobs.ts";
import type { Subscription } from "../store/subscription-rows.ts";
import { putBackNotice } from "./dead-letters-page.ts";
import { type Fault, faultOf, formFault } from "./fault-page.ts";
import { act, crumbs, type PortalPage, tokenField } from "./frame.ts";
import type { Visit } from "./visits.ts";

/** The request and its result: counted first, then done. */
export interface ReplayForm {
  readonly since: string;
  readonly answer?: RedeliveryAnswer;
  readonly fault?: Fault;
  readonly job?: ReplayJob | undefined;
}

/**
 * Renders the page for a replay: since when, how many events that is, and then the button. Refuses: never. Source:
 * decision E7.
 */
export function replayPage(
  visit: Visit,
  { id, targetUrl }: Subscription,
  { since, answer, fault, job }: ReplayForm,
): PortalPage {
  const at = `/portal/subscriptions/${id}`;
  return {
    title: "Replay",
    place: "subscriptions",
    main: html`${crumbs({ id, targetUrl })}
<div><h1>Replay</h1>
<p class="muted">Sends again whatever was received since a time and is settled: delivered, skipped or given up. Each record's in
order, marked <code>webhook-replay: true</code>.</p></div>
${formFault(fault, ["since"])}
${job !== undefined && jobNotice(job)}
${answer && !answer.dryRun && putBackNotice(answer)}
<form class="card" method="post" action="${at}/replay">${tokenField(visit.formToken)}
${field({
  name: "since",
  label: "Received since",
  value: since,
  isRequired: true,
  maxLength: 40,
  hint: "A time with its offset, such as 2026-01-31T12:00:00Z.",
  fault: faultOf(fault, "since"),
})}
<button class="quiet">Count them</button></form>
${
  answer?.dryRun &&
  notice(
    "plain",
    html`<p><strong>${answer.more && "At least "}${answer.deliveries} events of ${answer.lanes} records</strong> were received since ${since}.</p>
${answer.deliveries > 0 && act(visit, { at: `${at}/replay`, text: "Send them again", fields: { since, doIt: "yes" } })}`,
  )
}`,
  };
}

function jobNotice({ since, deliveries, lanes, finishedAt }: ReplayJob): Html {
  const what = since === null ? "redrive of all dead letters" : `replay since ${since}`;
  return notice(
    "plain",
    html`<p>The last ${what} ${finishedAt === null ? "is running" : "is finished"}: ${deliveries} events of ${lanes} records were put back${
      finishedAt === null && " so far; load this page again to see more"
    }.</p>`,
  );
}
