import { z } from "zod";
import type { Clock } from "@dataspace/service-kit/clock";
import type { Database } from "@dataspace/service-kit/postgres/database";
import type { Identified } from "../consumers/identify-consumer.ts";
import { listenerOf } from "../consumers/listener-of.ts";
import { spendToken, writeOnce } from "../consumers/spend-token.ts";
import { awarenessRefusal } from "../errors.ts";
import { queryNumber, readInput } from "../read-input.ts";
import {
  type DeadLetter,
  type LoggedAttempt,
  type LogPage,
  listAttempts,
  listDeadLetters,
} from "../store/delivery-log.ts";
import { countRedelivery, type Redelivered, type Redelivery, redeliverPart } from "../store/redeliver.ts";
import { beginJob, findJob, noteJobPart, type ReplayJob } from "../store/replay-jobs.ts";
import { requireStanding } from "../visibility/require-standing.ts";
import type { DecideVisibility } from "../visibility/visibility.ts";
import { createSelectLanes } from "./select-lanes.ts";

/** The unchecked input about a subscription's deliveries. */
export type DeliveryQuery = Readonly<Record<string, unknown>>;

/** A page of a log; `next` is the `after` of the following page, null at the end. */
export interface Page<Entry> {
  readonly entries: readonly Entry[];
  readonly next: string | null;
}

/** What was redelivered, or, with `dryRun`, would be. */
export interface RedeliveryAnswer extends Redelivered {
  readonly dryRun: boolean;
  /** A dry run ended before the last record; there may be more. */
  readonly more?: true | undefined;
  /** The job that redelivers the rest, when it is more than one request does. */
  readonly job?: ReplayJob | undefined;
}

/** A subscription of the calling consumer. */
export interface OwnSubscription {
  readonly asker: Identified;
  readonly id: string;
}

/** A consumer's operations on the deliveries of its own subscription. */
export interface Deliveries {
  readonly attempts: (subscriptionId: string, query: DeliveryQuery) => Promise<Page<LoggedAttempt>>;
  /** Dead letters whose records the consumer may read now. */
  readonly deadLetters: (subscription: OwnSubscription, query: DeliveryQuery) => Promise<Page<DeadLetter>>;
  /** In: `{}` or `{eventId}`. */
  readonly redrive: (subscription: OwnSubscription, body: unknown) => Promise<RedeliveryAnswer>;
  /** In: `{since, dryRun}`, an ISO 8601 time and, to count only, true. */
  readonly replay: (subscription: OwnSubscription, body: unknown) => Promise<RedeliveryAnswer>;
  /** Sends one event again, whatever its outcome was. In: `{eventId}`. */
  readonly resend: (subscription: OwnSubscription, body: unknown) => Promise<RedeliveryAnswer>;
  /** The last replay, or redrive of all dead letters. */
  readonly lastReplay: (subscriptionId: string) => Promise<ReplayJob | undefined>;
}

const PAGE_SIZE = 50;
const MAX_PAGE_SIZE = 200;
const MAX_LOOKS = 20;

/** The page of a log. Source: decision E7. */
export const logQuery: z.ZodType<Omit<LogPage, "subscriptionId">> = z.strictObject({
  first: queryNumber(z.int().min(1).max(MAX_PAGE_SIZE).default(PAGE_SIZE)).describe("How many entries at most."),
  after: z.guid().optional().describe("Goes on after this entry: the `next` of the page before."),
  eventId: z.guid().optional().describe("Entries of this event alone."),
});

/** The dead letters to redeliver. Source: decision E7. */
export const redriveBody: z.ZodType<{ readonly eventId?: string | undefined }> = z.strictObject({
  eventId: z.guid().optional().describe("The one event to send again; without it, all dead letters."),
});

const resendBody: z.ZodType<{ readonly eventId: string }> = z.strictObject({ eventId: z.guid() });

/** The replay; `since` is parsed to milliseconds. Source: decision E7. */
export const replayBody: z.ZodType<{ readonly since: number; readonly dryRun: boolean }> = z.strictObject({
  since: z.iso
    .datetime({ offset: true, error: "must be an ISO 8601 time with its offset, such as 2026-01-31T12:00:00Z" })
    .describe("Events received at this time or later.")
    .transform((text) => Date.parse(text)),
  dryRun: z.boolean().default(false).describe("Whether to count only, and send nothing."),
});

/**
 * Makes the operations on deliveries. The caller has checked that the subscription is the consumer's.
 *
 * `wake` is called when something was redelivered. Refuses: BAD_REQUEST, STATUS_UNAVAILABLE, and TOKEN_SPENT
 * and REPLAY_RUNNING for a redelivery.
 * Source: decisions E7, I6, V25.
 */
export function createDeliveries(
  deps: {
    readonly database: Database;
    readonly clock: Clock;
    readonly wake: () => void;
    readonly decideVisibility: DecideVisibility;
  },
  config: Parameters<typeof listenerOf>[1],
): Deliveries {
  const { database, clock, wake, decideVisibility } = deps;
  const selectLanes = ({ asker }: OwnSubscription) =>
    createSelectLanes(decideVisibility, listenerOf(asker.consumer, config));
  // The first part runs at once; the replay worker does the rest.
  const putBackAll = async (subscription: OwnSubscription, sinceMs?: number): Promise<RedeliveryAnswer> => {
    const { asker, id: subscriptionId } = subscription;
    const begin = { subscriptionId, sinceMs, nowMs: clock.nowMs() };
    const lease = await writeOnce(database, asker, async (tx) => (await beginJob(tx, begin)) ?? refuseSecondJob());
    const redelivery =
      sinceMs === undefined ? ({ kind: "dead", eventId: undefined } as const) : ({ kind: "since", sinceMs } as const);
    const request = { subscriptionId, redelivery, selectLanes: selectLanes(subscription), nowMs: clock.nowMs };
    const part = await redeliverPart(database, request);
    await noteJobPart(database, lease, { ...part, nowMs: clock.nowMs() });
    wake();
    const job = part.after === undefined ? undefined : await findJob(database, subscriptionId);
    return { dryRun: false, ...part.put, ...(job === undefined ? {} : { job }) };
  };
  const putBackOne = async (
    subscription: OwnSubscription,
    redelivery: Extract<Redelivery, { readonly eventId: string | undefined }>,
  ): Promise<RedeliveryAnswer> => {
    await spendToken(database, subscription.asker);
    const whose = { subscriptionId: subscription.id, selectLanes: selectLanes(subscription) };
    const { put } = await redeliverPart(database, { ...whose, redelivery, nowMs: clock.nowMs });
    wake();
    return { dryRun: false, ...put };
  };
  return {
    attempts: async (subscriptionId, query) => {
      const page = readInput(logQuery, query);
      const entries = await listAttempts(database, { subscriptionId, ...page });
      return { entries, next: entries.length < page.first ? null : (entries.at(-1)?.id ?? null) };
    },
    deadLetters: (subscription, query) => readDeadLetters(deps, config, { subscription, query }),
    redrive: async (subscription, body) => {
      const { eventId } = readInput(redriveBody, body ?? {});
      return eventId === undefined ? putBackAll(subscription) : putBackOne(subscription, { kind: "dead", eventId });
    },
    resend: async (subscription, body) => putBackOne(subscription, { kind: "event", ...readInput(resendBody, body) }),
    replay: async (subscription, body) => {
      const { since: sinceMs, dryRun } = readInput(replayBody, body);
      if (!dryRun) return putBackAll(subscription, sinceMs);
      const redelivery = { kind: "since", sinceMs } as const;
      const part = { subscriptionId: subscription.id, redelivery, selectLanes: selectLanes(subscription) };
      const counted = await countRedelivery(database, part);
      return { dryRun, busyLanes: 0, ...counted };
    },
    lastReplay: (subscriptionId) => findJob(database, subscriptionId),
  };
}

function refuseSecondJob(): never {
  throw awarenessRefusal(
    "REPLAY_RUNNING",
    "A replay or redrive of this subscription is running; wait until it is finished.",
  );
}

/**
 * Continues past records that the consumer may not read, so that a page reveals nothing about them; the looks of one
 * request are limited.
 */
async function readDeadLetters(
  { database, decideVisibility }: Pick<Parameters<typeof createDeliveries>[0], "database" | "decideVisibility">,
  config: Parameters<typeof listenerOf>[1],
  { subscription, query }: { readonly subscription: OwnSubscription; readonly query: DeliveryQuery },
): Promise<Page<DeadLetter>> {
  const { first, ...page } = readInput(logQuery, query);
  const listener = listenerOf(subscription.asker.consumer, config);
  const entries: DeadLetter[] = [];
  let { after } = page;
  for (let looks = 0; looks < MAX_LOOKS; looks += 1) {
    const letters = await listDeadLetters(database, {
      ...page,
      subscriptionId: subscription.id,
      first: MAX_PAGE_SIZE,
      after,
    });
    const records = letters.map((letter) => ({ ...letter, recordId: letter.id }));
    const isVisible = requireStanding(await decideVisibility(listener, records));
    for (const [index, { newestVersion: _, ...letter }] of letters.entries()) {
      after = letter.eventId;
      if (isVisible[index] !== true) continue;
      entries.push(letter);
      if (entries.length === first) return { entries, next: letter.eventId };
    }
    if (letters.length < MAX_PAGE_SIZE) return { entries, next: null };
  }
  return { entries, next: after ?? null };
}
