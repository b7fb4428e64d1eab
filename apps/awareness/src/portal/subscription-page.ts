import { copyable, copyableIdentifier } from "@dataspace/ui/copyable";
import { emptyState } from "@dataspace/ui/empty-state";
import { livePart, pauseButton } from "@dataspace/ui/live-part";
import { moment } from "@dataspace/ui/moment";
import { notice } from "@dataspace/ui/state-mark";
import { facts } from "@dataspace/ui/table";
import { html } from "hono/html";
import type { Html } from "@dataspace/ui/html";
import { isTaken, type WebhookOutcome } from "../delivery/send-webhook.ts";
import type { LoggedAttempt } from "../store/delivery-log.ts";
import type { Subscription } from "../store/subscription-rows.ts";
import { attemptTable } from "./attempts-page.ts";
import { decideEndpointState, endpointSentence } from "./endpoint-state.ts";
import { act, type PortalPage } from "./frame.ts";
import type { ShownHealth } from "./shown-health.ts";
import { subscriptionAddress, subscriptionFrame } from "./subscription-frame.ts";
import type { Visit } from "./visits.ts";
import { answerMark, countWords, filterWords, numberWords } from "./words.ts";

const WORDS = {
  test: "Send test event",
  about: "About the subscription",
  state: "State",
  target: "Endpoint URL",
  id: "Subscription ID",
  events: "Events",
  ontologies: "Ontologies",
  vaults: "Vaults",
  waiting: "Queued",
  dead: "Dead letters",
  latest: "Latest attempts",
  all: "All attempts",
  none: "No attempts yet",
  noneText: "Send a test event, or change a record: attempts appear here as they happen.",
  pause: "Pause live updates",
  resume: "Resume live updates",
  lost: "The service does not answer. This list may be old; the page keeps trying.",
  taken: "Your endpoint accepted the test event",
  refused: "Your endpoint did not accept the test event",
  outcome: (outcome: string, durationMs: string, answer: Html): Html =>
    html`<strong>${outcome}</strong> in ${durationMs} ms: ${answer}`,
  open: "Deliveries are on hold.",
  openText: "The endpoint failed ten times in a row",
  probe: "The next single attempt is",
  retries: "Events are retried for 24 hours, then become dead letters.",
} as const;

const LIVE_SECONDS = 2;

/** The content of a subscription's page. `outcome`: of a test event that was just sent. */
export interface ShownSubscription {
  readonly subscription: Subscription;
  readonly health: ShownHealth | undefined;
  readonly attempts: readonly LoggedAttempt[];
  readonly outcome?: WebhookOutcome | undefined;
  readonly nowMs: number;
}

/**
 * Renders the page of one subscription: its endpoint's state and the latest attempts. Refuses: never. Source: decision
 * E7.
 */
export function subscriptionPage(visit: Visit, shown: ShownSubscription): PortalPage {
  const { subscription, outcome } = shown;
  const at = subscriptionAddress(subscription);
  return subscriptionFrame(subscription, {
    part: "activity",
    action: act(visit, { at: `${at}/test`, text: WORDS.test, kind: "primary", icon: "paper-airplane" }),
    main: html`${outcome && testOutcome(outcome)}
${livePart({ id: "state", from: at, everySeconds: LIVE_SECONDS, lost: WORDS.lost, main: stateCard(shown) })}
<section class="stack" aria-labelledby="attempts"><div class="head level"><h2 id="attempts">${WORDS.latest}</h2><div class="row">${pauseButton("latest", WORDS)}<a href="${at}/attempts">${WORDS.all}</a></div></div>
<ds-live id="latest" from="${at}" every="${LIVE_SECONDS}">${latest(shown)}</ds-live></section>`,
  });
}

function stateCard(shown: ShownSubscription): Html {
  const { subscription, health, nowMs } = shown;
  const { ontologyFilter, vaultFilter } = subscription;
  const at = subscriptionAddress(subscription);
  return html`${health?.openedAt && onHold(health, nowMs)}
<section class="card" aria-label="${WORDS.about}">${facts([
    [WORDS.state, endpointSentence(decideEndpointState(subscription, health, nowMs))],
    [WORDS.waiting, numberWords(health?.waiting ?? 0, "record")],
    [WORDS.dead, html`<a href="${at}/dead-letters">${countWords(health?.dead ?? 0)}</a>`],
    [WORDS.target, copyable(subscription.targetUrl, "the URL")],
    [WORDS.id, copyableIdentifier(subscription.id, "the subscription ID")],
    [WORDS.events, filterWords(subscription)],
    ...(ontologyFilter.length > 1 ? [[WORDS.ontologies, lines(ontologyFilter)] as const] : []),
    ...(vaultFilter.length > 1 ? [[WORDS.vaults, lines(vaultFilter)] as const] : []),
  ])}</section>`;
}

function latest({ subscription, attempts, nowMs }: ShownSubscription): Html {
  if (attempts.length > 0) return attemptTable(subscription, attempts, nowMs);
  return html`<div class="card">${emptyState({ illustration: "deliveries", title: WORDS.none, text: WORDS.noneText })}</div>`;
}

function lines(texts: readonly string[]): Html {
  return html`${texts.map((text) => html`<div class="mono">${text}</div>`)}`;
}

function testOutcome(outcome: WebhookOutcome): Html {
  const { answer, durationMs } = outcome;
  const wasTaken = isTaken(outcome);
  return notice(
    wasTaken ? "ok" : "bad",
    html`<p>${WORDS.outcome(wasTaken ? WORDS.taken : WORDS.refused, durationMs.toLocaleString("en-US"), answerMark(outcome))}</p>
${answer ? html`<pre class="wrapped">${answer}</pre>` : ""}`,
  );
}

function onHold({ openedAt, probeAt }: ShownHealth, nowMs: number): Html {
  return notice(
    "warn",
    html`<p><strong>${WORDS.open}</strong> ${WORDS.openText}, ${moment(openedAt ?? "", nowMs)}.${
      probeAt && html` ${WORDS.probe} ${moment(probeAt, nowMs)}.`
    } ${WORDS.retries}</p>`,
  );
}
