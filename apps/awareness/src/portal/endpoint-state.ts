import { html } from "hono/html";
import type { Html } from "@dataspace/ui/html";
import type { StateKind } from "@dataspace/ui/state-mark";
import { isTaken } from "../delivery/send-webhook.ts";
import type { Subscription } from "../store/subscription-rows.ts";
import type { ShownHealth } from "./shown-health.ts";
import { answerWords } from "./words.ts";

const WORDS = {
  paused: "Paused: new events are not sent",
  none: "No deliveries yet",
  healthy: "Healthy",
  recovering: "Recovering: it answers again, deliveries return step by step",
  failing: "Failing",
  failed: "Last attempt failed",
  next: "next try",
  now: "now",
} as const;

/** The state of an endpoint: a tone, and a sentence that says what comes next. */
export interface EndpointState {
  readonly kind: StateKind;
  readonly sentence: Html | string;
}

type Judged = Pick<ShownHealth, "openedAt" | "probeAt" | "inFlightLimit" | "last" | "nextAt">;

/**
 * Decides what an endpoint's state is, from its last attempt and from what waits for the next one. Refuses: never.
 * Source: decision E7.
 */
export function decideEndpointState(
  { active }: Pick<Subscription, "active">,
  health: Judged | undefined,
  nowMs: number,
): EndpointState {
  if (!active) return { kind: "off", sentence: WORDS.paused };
  const last = health?.last ?? null;
  if (health === undefined || last === null) return plain("off", WORDS.none);
  if (health.openedAt !== null || !isTaken(last)) return failing(health, last, nowMs);
  if (health.inFlightLimit !== null) return { kind: "warn", sentence: WORDS.recovering };
  return plain("ok", WORDS.healthy);
}

/** Shows the state as a dot and a sentence, such as "Failing: answered 500, next try in 41 s". Refuses: never. */
export function endpointSentence({ kind, sentence }: EndpointState): Html {
  return html`<span class="state sentence ${kind}"><span>${sentence}</span></span>`;
}

function plain(kind: StateKind, sentence: string): EndpointState {
  return { kind, sentence };
}

function failing(health: Judged, last: NonNullable<Judged["last"]>, nowMs: number): EndpointState {
  const nextAt = health.openedAt === null ? health.nextAt : health.probeAt;
  const answer = answerWords(last);
  // Nothing waits: the failed event was given up, or was sent as a test.
  if (nextAt === null && health.openedAt === null) return { kind: "warn", sentence: `${WORDS.failed}: ${answer}` };
  const next = nextAt && html`, ${WORDS.next} ${untilMoment(nextAt, nowMs)}`;
  return { kind: "bad", sentence: html`${WORDS.failing}: ${answer}${next}` };
}

const UNITS = [
  [3_600_000, "h"],
  [60_000, "min"],
] as const;

function untilMoment(iso: string, nowMs: number): Html {
  const leftMs = Date.parse(iso) - nowMs;
  const [size, unit] = UNITS.find(([ms]) => leftMs >= 2 * ms) ?? [1000, "s"];
  const words = leftMs < 1000 ? WORDS.now : `in ${Math.round(leftMs / size)}\u00a0${unit}`;
  return html`<time datetime="${iso}" title="${iso}">${words}</time>`;
}
