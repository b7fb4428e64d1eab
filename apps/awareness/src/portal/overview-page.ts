import { linkButton } from "@dataspace/ui/button";
import { livePart, pauseButton } from "@dataspace/ui/live-part";
import { metrics } from "@dataspace/ui/metrics";
import { moment } from "@dataspace/ui/moment";
import { notice } from "@dataspace/ui/state-mark";
import { tabLinks } from "@dataspace/ui/tabs";
import { html } from "hono/html";
import type { Html } from "@dataspace/ui/html";
import { ATTEMPTS_COUNTED, type AttemptCounts } from "../store/attempt-counts.ts";
import { deliveryChart, PERIODS, type PeriodName, sumCounts } from "./delivery-chart.ts";
import type { PortalPage } from "./frame.ts";
import { addButton, noSubscriptions, type ShownSubscriptions, subscriptionTable } from "./subscription-list-page.ts";
import { countWords, numberWords } from "./words.ts";

const WORDS = {
  title: "Overview",
  lead: "How your webhooks are doing.",
  leadEmpty: "Send signed, ordered webhooks to your endpoint when records change.",
  periods: "Period",
  delivered: "Delivered",
  failed: "Failed attempts",
  rate: "Success rate",
  waiting: "Records queued",
  dead: "Dead letters",
  deadLine: "given up after 24 hours",
  failedLine: "retried for 24 hours",
  chart: "Deliveries",
  endpoints: "Endpoints",
  pause: "Pause live updates",
  resume: "Resume live updates",
  lost: "The service does not answer. These numbers may be old; the page keeps trying.",
  nothing: "Nothing was sent in this period.",
  cutOff: (most: string, since: Html): Html =>
    html`There are more than ${most} attempts. The counts are complete since ${since}.`,
  reference: "API reference",
  none: "-",
} as const;

const LIVE_SECONDS = 10;

/** The content of the overview: the subscriptions with their health, and the attempts of a period. */
export interface ShownOverview extends ShownSubscriptions {
  readonly period: PeriodName;
  readonly attempts: AttemptCounts;
}

/** Renders the overview: the numbers that matter, a chart, and the state of each endpoint. Refuses: never. Source: decision E7. */
export function overviewPage(shown: ShownOverview): PortalPage {
  const isEmpty = shown.subscriptions.length === 0;
  return {
    title: WORDS.title,
    place: "overview",
    main: html`<div class="head level"><div><h1>${WORDS.title}</h1><p class="muted">${isEmpty ? WORDS.leadEmpty : WORDS.lead}</p></div>${!isEmpty && addButton()}</div>
${isEmpty ? noSubscriptions() : filled(shown)}`,
  };
}

function filled(shown: ShownOverview): Html {
  const { period } = shown;
  const links = (Object.keys(PERIODS) as PeriodName[]).map((name) => ({
    href: `/portal?period=${name}`,
    text: PERIODS[name].title,
    current: name === period,
  }));
  return html`<div class="head level"><div>${tabLinks(WORDS.periods, links)}</div>${pauseButton("overview", WORDS)}</div>
${livePart({
  id: "overview",
  from: `/portal?period=${period}`,
  everySeconds: LIVE_SECONDS,
  lost: WORDS.lost,
  main: html`${numbers(shown)}
<section class="card" aria-labelledby="chart"><h2 id="chart">${WORDS.chart}</h2>${cutOff(shown)}${deliveryChart(period, shown.attempts, shown.nowMs)}</section>
<section class="stack" aria-labelledby="endpoints"><h2 id="endpoints">${WORDS.endpoints}</h2>${subscriptionTable(shown)}</section>`,
})}
<div class="row">${linkButton("/docs", { kind: "quiet", text: WORDS.reference, icon: "book-open" })}</div>`;
}

function numbers({ attempts, healthById }: ShownOverview): Html {
  const { delivered, failed } = sumCounts(attempts.counts);
  const health = [...healthById.values()];
  const waiting = health.reduce((sum, one) => sum + one.waiting, 0);
  const dead = health.reduce((sum, one) => sum + one.dead, 0);
  return metrics([
    { name: WORDS.rate, value: rateWords(delivered, failed), line: numberWords(delivered + failed, "attempt") },
    { name: WORDS.delivered, value: delivered.toLocaleString("en-US") },
    { name: WORDS.failed, value: failed.toLocaleString("en-US"), line: WORDS.failedLine },
    { name: WORDS.waiting, value: countWords(waiting) },
    { name: WORDS.dead, value: countWords(dead), line: WORDS.deadLine },
  ]);
}

// Rounded down: 99.99 % with failures is never shown as 100 %.
function rateWords(delivered: number, failed: number): string {
  if (delivered + failed === 0) return WORDS.none;
  return `${Math.floor((1000 * delivered) / (delivered + failed)) / 10} %`;
}

function cutOff({ attempts, nowMs }: ShownOverview): Html | string {
  if (attempts.counts.length === 0) return html`<p class="muted">${WORDS.nothing}</p>`;
  const { completeSince } = attempts;
  if (completeSince === null) return "";
  return notice(
    "plain",
    html`<p>${WORDS.cutOff(ATTEMPTS_COUNTED.toLocaleString("en-US"), moment(completeSince, nowMs))}</p>`,
  );
}
