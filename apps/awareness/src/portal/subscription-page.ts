import { copyable } from "@dataspace/ui/copyable";
import { moment } from "@dataspace/ui/moment";
import { notice } from "@dataspace/ui/state-mark";
import { facts } from "@dataspace/ui/table";
import { html } from "hono/html";
import type { Html } from "@dataspace/ui/html";
import { isTaken, type WebhookOutcome } from "../delivery/send-webhook.ts";
import type { LoggedAttempt } from "../store/delivery-log.ts";
import type { Subscription } from "../store/subscription-rows.ts";
import { attemptTable } from "./attempts-page.ts";
import { act, confirmedAction, crumbs, type PortalPage } from "./frame.ts";
import type { ShownHealth } from "./shown-health.ts";
import type { Visit } from "./visits.ts";
import { answerMark, countWords, filterWords, subscriptionMark } from "./words.ts";

/** The content of a subscription's page. `outcome`: of a test event that was just sent. */
export interface ShownSubscription {
  readonly subscription: Subscription;
  readonly health: ShownHealth | undefined;
  readonly attempts: readonly LoggedAttempt[];
  readonly outcome?: WebhookOutcome | undefined;
  readonly nowMs: number;
}

/**
 * Renders the page of one subscription: its health, the latest attempts, and its actions. Refuses: never. Source:
 * decision E7.
 */
export function subscriptionPage(visit: Visit, shown: ShownSubscription): PortalPage {
  const { subscription, health, attempts, outcome, nowMs } = shown;
  const at = `/portal/subscriptions/${subscription.id}`;
  return {
    title: subscription.targetUrl,
    place: "subscriptions",
    main: html`${crumbs()}
<div class="head"><div class="stack"><h1>${subscription.targetUrl}</h1>${subscriptionMark(subscription, health)}</div>
${act(visit, { at: `${at}/test`, text: "Send test event" })}</div>
${outcome && testOutcome(outcome)}
${health?.openedAt && awayNotice(health, nowMs)}
<div class="columns">
<section class="card" aria-labelledby="about"><h2 id="about">About</h2>${about(shown)}</section>
<section class="card" aria-labelledby="acts"><h2 id="acts">What you can do</h2>${acts(visit, subscription)}</section>
</div>
<section class="stack" aria-labelledby="attempts">
<div class="head level"><h2 id="attempts">Latest attempts</h2><div class="row"><button type="button" class="quiet" data-pauses="latest" aria-pressed="false" hidden>Pause</button>
<a href="${at}/attempts">All attempts</a></div></div>
<ds-live id="latest" from="${at}" every="2">${
      attempts.length === 0
        ? html`<p class="muted">None yet. This list is live: send a test from a vault, or change a record.</p>`
        : attemptTable(subscription.id, attempts, nowMs)
    }</ds-live></section>`,
  };
}

function about({ subscription, health }: ShownSubscription): Html {
  const at = `/portal/subscriptions/${subscription.id}`;
  const { ontologyFilter, vaultFilter } = subscription;
  return facts([
    ["Id", copyable(subscription.id, "the id")],
    ["Hears", filterWords(subscription)],
    ...(ontologyFilter.length > 1 ? [["Ontologies", lines(ontologyFilter)] as const] : []),
    ...(vaultFilter.length > 1 ? [["Vaults", lines(vaultFilter)] as const] : []),
    ["Waiting", `${countWords(health?.waiting ?? 0)} records have something on its way`],
    ["Dead letters", html`<a href="${at}/dead-letters">${countWords(health?.dead ?? 0)}</a>`],
  ]);
}

function lines(texts: readonly string[]): Html {
  return html`${texts.map((text) => html`<div class="mono">${text}</div>`)}`;
}

function acts(visit: Visit, { id, active }: Subscription): Html {
  const at = `/portal/subscriptions/${id}`;
  return html`<div class="row"><a class="button quiet" href="${at}/edit">Change</a>
${act(visit, { at: `${at}/active`, text: active ? "Pause" : "Go on", kind: "quiet", fields: { active: String(!active) } })}
<a class="button quiet" href="${at}/replay">Replay</a></div>
${confirmedAction(
  visit,
  "The new secret is shown once. Webhooks are signed by both for 24 hours, so that your endpoint can change over without losing one.",
  { at: `${at}/rotate-secret`, text: "Replace the secret" },
)}
${confirmedAction(visit, "It receives nothing more, and its queued events are never sent. This cannot be undone.", {
  at: `${at}/remove`,
  text: "Remove the subscription",
})}`;
}

function testOutcome(outcome: WebhookOutcome): Html {
  const { answer, durationMs } = outcome;
  const wasTaken = isTaken(outcome);
  return notice(
    wasTaken ? "ok" : "bad",
    html`<p><strong>${wasTaken ? "The test event was taken" : "The test event was not taken"}</strong> in ${durationMs} ms: ${answerMark(outcome)}</p>
${answer ? html`<pre class="wrapped">${answer}</pre>` : ""}`,
  );
}

function awayNotice({ openedAt, probeAt }: ShownHealth, nowMs: number): Html {
  return notice(
    "warn",
    html`<p><strong>This endpoint does not answer.</strong> It failed ten times in a row, last ${moment(openedAt ?? "", nowMs)}, and is
only probed until it answers${probeAt ? html`: next ${moment(probeAt, nowMs)}` : ""}. Nothing is lost for 24 hours.</p>`,
  );
}
