import type { KeyObject } from "node:crypto";
import type { Clock } from "@dataspace/service-kit/clock";
import type { Database } from "@dataspace/service-kit/postgres/database";
import type { Span, Tracer } from "@dataspace/service-kit/tracing/tracer";
import type { CircuitRows } from "../store/circuit-rows.ts";
import type { ClaimedLane } from "../store/claim-lanes.ts";
import type { DueDelivery } from "../store/due-delivery.ts";
import type { AttemptRow, DeliverySettling } from "../store/settle-deliveries.ts";
import { deactivateSubscription } from "../store/subscription-activity.ts";
import type { AccessOutcome } from "../visibility/decide-access.ts";
import { decideAfterFailure, decideNextLook } from "./back-off.ts";
import type { TakeBody } from "./bodies-in-flight.ts";
import { circuitAfterAnswer, circuitAfterFailure, isHopeless } from "./endpoint-circuit.ts";
import { isTaken, type SendWebhook, type WebhookOutcome } from "./send-webhook.ts";
import { type WebhookAttempt, writeWebhookHeaders } from "./webhook-headers.ts";

/** Decides whether the subscription's consumer may receive events of the record now. Source: decision E4. */
export type MayHearOf = (
  delivery: Pick<DueDelivery, "dsid" | "schemaId" | "policy" | "ownerPolicy"> & {
    readonly subscriber: Pick<DueDelivery["subscriber"], "consumer">;
  },
) => Promise<AccessOutcome>;

/** Stores attempts, and the state of deliveries and endpoints after them. */
export interface AttemptRows {
  readonly database: Database;
  readonly settling: DeliverySettling;
  readonly circuits: CircuitRows;
}

/** Signs and sends webhooks. `newUuid` returns ids of attempts in ascending order. */
export interface WebhookSending {
  readonly newUuid: () => string;
  readonly openSecret: (subscriptionId: string, sealed: string) => Uint8Array;
  readonly signingKeys: readonly KeyObject[];
  readonly send: SendWebhook;
  readonly tracer?: Tracer | undefined;
}

/** The dependencies of an attempt. `random` gives numbers from 0 up to 1. */
export interface AttemptDeps {
  readonly rows: AttemptRows;
  readonly clock: Clock;
  readonly random: () => number;
  readonly mayHearOf: MayHearOf;
  readonly webhooks: WebhookSending;
}

/** A claimed lane and its next delivery, undefined if there is none. */
export interface DueLane extends ClaimedLane {
  readonly due: DueDelivery | undefined;
}

/** The result for the lane: whether it is due again already. */
export interface MadeAttempt {
  readonly isDue: boolean;
}

/** Whether the lease still outlasts the attempt, and a callback with the outcome before it is settled. */
export interface AttemptWatch {
  readonly isHeld: () => boolean;
  readonly onOutcome: (outcome: WebhookOutcome) => void;
}

/** Makes one attempt on a claimed lane and settles it. */
export type AttemptDelivery = (lane: DueLane, watch: AttemptWatch) => Promise<MadeAttempt>;

const GONE = 410;

/**
 * Makes the attempts: decides whether the consumer may receive a lane's next delivery, sends it, and settles the
 * outcome.
 *
 * A large body waits for its share of the bytes in flight; where none becomes free, the lane is released without an
 * attempt. 2xx is delivered. Everything else is retried after the back-off, and is a dead letter at the deadline, after
 * which the lane continues. A delivery that the consumer may not receive is skipped. While that is not known, the lane
 * waits, without an attempt, and at the deadline the delivery is a dead letter. 410 also deactivates the
 * subscription: its queued deliveries wait until it is active again.
 * Refuses: never because of an endpoint; the database's errors, after which the lane waits for the end of its lease.
 * Source: decisions E1, E2, E3, E4, E6.
 */
export function createAttemptDelivery(deps: AttemptDeps, takeBody: TakeBody): AttemptDelivery {
  return async (lane, watch) => {
    const { due } = lane;
    if (due === undefined) return { isDue: await deps.rows.settling.rest(lane) };
    const access = await deps.mayHearOf(due);
    if (access === "unknown") return waitForAccess(deps, lane, due);
    if (access === "denied") {
      const skipped = {
        streamVersion: due.streamVersion,
        state: "skipped",
        reason: "access",
        attempt: undefined,
      } as const;
      return { isDue: await deps.rows.settling.settle(lane, skipped) };
    }
    const taken = await takeBody(due);
    if (taken === undefined) {
      await deps.rows.settling.release(lane);
      return { isDue: true };
    }
    try {
      return await sendAndSettle(deps, { lane, due, body: taken.body }, watch);
    } finally {
      taken.giveBack();
    }
  };
}

async function waitForAccess(deps: AttemptDeps, lane: ClaimedLane, due: DueDelivery): Promise<MadeAttempt> {
  const { streamVersion, deadlineMs } = due;
  const nextAtMs = decideNextLook(deps.clock.nowMs(), deadlineMs);
  if (nextAtMs === undefined) {
    const dead = { streamVersion, state: "dead", reason: "access_unknown", attempt: undefined } as const;
    return { isDue: await deps.rows.settling.settle(lane, dead) };
  }
  await deps.rows.settling.release(lane, nextAtMs);
  return { isDue: false };
}

async function sendAndSettle(
  deps: AttemptDeps,
  { lane, due, body }: { readonly lane: ClaimedLane; readonly due: DueDelivery; readonly body: string },
  { isHeld, onOutcome }: AttemptWatch,
): Promise<MadeAttempt> {
  // If this process was paused since the claim, another worker may have the lane now.
  if (!isHeld()) return { isDue: false };
  const { newUuid, tracer, send } = deps.webhooks;
  const attemptId = newUuid();
  const span = startAttemptSpan(tracer, due, lane.attempts);
  const traceparent = span?.traceparent ?? due.traceparent;
  const headers = writeHeaders(deps, due, { attemptId, number: lane.attempts, body, traceparent });
  const { targetUrl, consumer } = due.subscriber;
  const outcome = await send({ requester: consumer.id, targetUrl, headers, body });
  if (span !== undefined) endAttemptSpan(span, outcome);
  onOutcome(outcome);
  const attempt = toAttemptRow(outcome, due, { id: attemptId, number: lane.attempts });
  const isDue = isTaken(outcome)
    ? await deps.rows.settling.settle(lane, {
        streamVersion: due.streamVersion,
        state: "delivered",
        reason: null,
        attempt,
      })
    : await settleFailure(deps, { lane, due, attempt, retryAfterMs: outcome.retryAfterMs });
  await noteEndpoint(deps, { lane, due, outcome });
  return { isDue };
}

function startAttemptSpan(tracer: Tracer | undefined, due: DueDelivery, number: number): Span | undefined {
  const { traceparent: parent, eventId } = due;
  if (tracer === undefined || parent === null) return undefined;
  const attributes = { "messaging.message.id": eventId, "dataspace.attempt": number };
  return tracer.startSpan("deliver webhook", { kind: "client", parent, attributes });
}

function endAttemptSpan(span: Span, outcome: WebhookOutcome): void {
  const { status, error } = outcome;
  span.end({
    failed: !isTaken(outcome),
    attributes: {
      ...(status === null ? {} : { "http.response.status_code": status }),
      ...(error === null ? {} : { "error.type": error }),
    },
  });
}

function writeHeaders(
  deps: AttemptDeps,
  due: DueDelivery,
  attempt: Pick<WebhookAttempt, "attemptId" | "number" | "body" | "traceparent">,
): Readonly<Record<string, string>> {
  const { eventId, replay } = due;
  const { subscriptionId, targetUrl, sealedSecrets } = due.subscriber;
  const secrets = sealedSecrets.map((sealed) => deps.webhooks.openSecret(subscriptionId, sealed));
  return writeWebhookHeaders(
    { ...attempt, nowMs: deps.clock.nowMs(), subscriptionId, targetUrl, eventId, replay },
    { secrets, signingKeys: deps.webhooks.signingKeys },
  );
}

function toAttemptRow(
  { startedAtMs, durationMs, status, error, answer }: WebhookOutcome,
  { eventId }: DueDelivery,
  attempt: Pick<AttemptRow, "id" | "number">,
): AttemptRow {
  return { ...attempt, eventId, startedAtMs, durationMs, status, error, answer };
}

interface FailedDelivery {
  readonly lane: ClaimedLane;
  readonly due: DueDelivery;
  readonly attempt: AttemptRow;
  readonly retryAfterMs: number | undefined;
}

async function settleFailure(
  deps: AttemptDeps,
  { lane, due, attempt, retryAfterMs }: FailedDelivery,
): Promise<boolean> {
  const after = decideAfterFailure({
    number: lane.attempts,
    nowMs: deps.clock.nowMs(),
    deadlineMs: due.deadlineMs,
    retryAfterMs,
    random: deps.random(),
  });
  if (after.kind === "retry") {
    await deps.rows.settling.retry(lane, attempt, after.atMs);
    return false;
  }
  const reason = attempt.status === null ? attempt.error : `status_${attempt.status}`;
  return deps.rows.settling.settle(lane, { streamVersion: due.streamVersion, state: "dead", reason, attempt });
}

/**
 * Notes what an attempt shows about its endpoint. This differs from the delivery's result: a 404 fails the delivery, but it
 * is an answer, so the endpoint works.
 */
async function noteEndpoint(
  deps: AttemptDeps,
  { lane, due, outcome }: { readonly lane: ClaimedLane; readonly due: DueDelivery; readonly outcome: WebhookOutcome },
): Promise<void> {
  const { dsid, recordId } = due;
  const { subscriptionId, isTroubled } = due.subscriber;
  if (isEndpointFailure(outcome)) {
    const nowMs = deps.clock.nowMs();
    const failure = { lane: `${dsid} ${recordId}`, nowMs, isProbe: lane.isProbe };
    const after = await deps.rows.circuits.change(subscriptionId, (circuit) => circuitAfterFailure(circuit, failure));
    if (after !== undefined && isHopeless(after, nowMs)) await deps.rows.settling.giveUp(subscriptionId);
    return;
  }
  // `isTroubled` was read before the attempt. Where it is false, a failure counted since then is newer than this answer, and stays.
  if (isTroubled) await deps.rows.circuits.change(subscriptionId, circuitAfterAnswer);
  if (outcome.status === GONE) {
    await deactivateSubscription(deps.rows.database, subscriptionId, new Date(deps.clock.nowMs()).toISOString());
  }
}

function isEndpointFailure({ status }: WebhookOutcome): boolean {
  return status === null || status === 429 || status >= 500;
}
