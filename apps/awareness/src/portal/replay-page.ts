import { button } from "@dataspace/ui/button";
import { choices } from "@dataspace/ui/choice";
import { field } from "@dataspace/ui/field";
import { moment } from "@dataspace/ui/moment";
import { notice } from "@dataspace/ui/state-mark";
import { html } from "hono/html";
import type { Html } from "@dataspace/ui/html";
import type { RedeliveryAnswer } from "../delivery/deliveries.ts";
import type { ReplayJob } from "../store/replay-jobs.ts";
import type { Subscription } from "../store/subscription-rows.ts";
import { putBackNotice } from "./dead-letters-page.ts";
import { type Fault, formFault, hasFault } from "./fault-page.ts";
import { act, type PortalPage, tokenField } from "./frame.ts";
import { readPickedTime, toPickedTime } from "./picked-time.ts";
import { subscriptionAddress, subscriptionFrame } from "./subscription-frame.ts";
import type { Visit } from "./visits.ts";
import { numberWords } from "./words.ts";

const WORDS = {
  lead: "Send past events again, in the order of each record's versions. Requests carry the header",
  legend: "Events received",
  hour: "In the last hour",
  day: "In the last 24 hours",
  time: "Since a time",
  since: "Date and time (UTC)",
  sinceHint: "Used with “Since a time”. Events are stored for 30 days.",
  sinceFault: "Enter a date and time.",
  count: "Count events",
  nothing: "There is nothing to send again.",
  found: (events: string, since: Html): Html => html`<strong>${events}</strong> received since ${since}.`,
  counted: (events: string, records: string) => `${events} of ${records}`,
  atLeast: (counted: string) => `At least ${counted}`,
  replay: (events: string) => `Replay ${events}`,
  dead: "All dead letters",
  receivedSince: (since: Html): Html => html`Events received since ${since}`,
  job: ({ state, what, queued, startedAt }: ShownJob): Html =>
    html`<strong>${state}</strong> ${what}: ${queued}. Started ${startedAt}.`,
  queued: (counted: string) => `${counted} queued again`,
  queuedSoFar: (counted: string) => `${counted} queued again so far`,
  running: "A replay is running.",
  finished: "The last replay is finished.",
} as const;

/** A replay that runs or has finished, in words. */
interface ShownJob {
  readonly state: string;
  readonly what: Html | string;
  readonly queued: string;
  readonly startedAt: Html;
}

const PERIOD_MS: Readonly<Record<string, number>> = { hour: 3_600_000, day: 86_400_000 };

/** Since when: a preset, or a time as the date picker writes it. */
export interface ReplayChoice {
  readonly period: string;
  readonly since: string;
}

/** The request and its result: counted first, then done. */
export interface ShownReplay {
  readonly choice: ReplayChoice;
  /** What the choice means now, ISO 8601. */
  readonly since?: string;
  readonly answer?: RedeliveryAnswer;
  readonly fault?: Fault;
  readonly job?: ReplayJob | undefined;
  readonly nowMs: number;
}

/** Reads the choice from a form. Refuses: never. */
export function readReplayChoice(form: URLSearchParams): ReplayChoice {
  return { period: form.get("period") ?? "time", since: form.get("since") ?? "" };
}

/** The choice that the page opens with. Refuses: never. */
export function firstReplayChoice(nowMs: number): ReplayChoice {
  return { period: "hour", since: toPickedTime(nowMs - 3_600_000) };
}

/** Returns the time that a choice means; the text itself where it is not a time. Refuses: never. */
export function timeOfChoice({ period, since }: ReplayChoice, nowMs: number): string {
  const lengthMs = PERIOD_MS[period];
  const ms = lengthMs === undefined ? readPickedTime(since) : nowMs - lengthMs;
  return ms === undefined ? since : new Date(ms).toISOString();
}

/**
 * Renders the page for a replay: since when, how many events that is, and then the button. Refuses: never. Source:
 * decision E7.
 */
export function replayPage(visit: Visit, subscription: Subscription, shown: ShownReplay): PortalPage {
  const { choice, answer, fault, job, nowMs } = shown;
  const at = `${subscriptionAddress(subscription)}/replay`;
  const isCounted = answer?.dryRun === true && answer.deliveries > 0;
  return subscriptionFrame(subscription, {
    part: "replay",
    main: html`<p class="muted">${WORDS.lead} <code>webhook-replay: true</code>.</p>
${formFault(fault, ["since"])}
${job !== undefined && jobNotice(job, nowMs)}
${answer && !answer.dryRun && putBackNotice(answer)}
<form class="card" method="post" action="${at}">${tokenField(visit.formToken)}
${choices({
  name: "period",
  legend: WORDS.legend,
  value: choice.period,
  options: [
    { value: "hour", text: WORDS.hour },
    { value: "day", text: WORDS.day },
    { value: "time", text: WORDS.time },
  ],
})}
${field({
  name: "since",
  label: WORDS.since,
  value: choice.since,
  type: "datetime-local",
  hint: WORDS.sinceHint,
  fault: hasFault(fault, "since") ? WORDS.sinceFault : undefined,
})}
${button({ kind: isCounted ? "quiet" : "primary", text: WORDS.count })}</form>
${answer?.dryRun && counted(visit, at, { ...shown, answer })}`,
  });
}

function counted(
  visit: Visit,
  at: string,
  { answer, since = "", nowMs }: ShownReplay & { readonly answer: RedeliveryAnswer },
): Html {
  const { deliveries, lanes, more } = answer;
  if (deliveries === 0) return notice("plain", WORDS.nothing);
  const events = numberWords(deliveries, "event");
  const all = WORDS.counted(events, numberWords(lanes, "record"));
  return html`<section class="card" aria-live="polite"><p>${WORDS.found(more ? WORDS.atLeast(all) : all, moment(since, nowMs))}</p>
${act(visit, { at, text: WORDS.replay(events), kind: "primary", icon: "arrow-path", fields: { since, doIt: "yes" } })}</section>`;
}

function jobNotice({ since, deliveries, lanes, startedAt, finishedAt }: ReplayJob, nowMs: number): Html {
  const counted = WORDS.counted(numberWords(deliveries, "event"), numberWords(lanes, "record"));
  const job = {
    state: finishedAt === null ? WORDS.running : WORDS.finished,
    what: since === null ? WORDS.dead : WORDS.receivedSince(moment(since, nowMs)),
    queued: finishedAt === null ? WORDS.queuedSoFar(counted) : WORDS.queued(counted),
    startedAt: moment(startedAt, nowMs),
  };
  return notice("plain", html`<p>${WORDS.job(job)}</p>`);
}
