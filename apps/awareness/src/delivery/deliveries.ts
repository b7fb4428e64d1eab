import { z } from "zod";
import type { Clock } from "@dataspace/service-kit/clock";
import type { Database } from "@dataspace/service-kit/postgres/database";
import { spendToken, type Writer } from "../consumers/spend-token.ts";
import { queryNumber, readInput } from "../read-input.ts";
import {
  type DeadLetter,
  type LoggedAttempt,
  type LogPage,
  listAttempts,
  listDeadLetters,
} from "../store/delivery-log.ts";
import { countRedelivery, type Redelivered, type Redelivery, redeliver } from "../store/redeliver.ts";

/** What a consumer asks of a subscription's deliveries, as it came. */
export type DeliveryQuery = Readonly<Record<string, unknown>>;

/** A page of a log; `next` is the `after` of the page that follows, null at the end. */
export interface Page<Entry> {
  readonly entries: readonly Entry[];
  readonly next: string | null;
}

/** What was put back on its way, or, `dryRun`, would be. */
export interface RedeliveryAnswer extends Redelivered {
  readonly dryRun: boolean;
}

/** A subscription that is the asker's own. */
export interface OwnSubscription {
  readonly asker: Writer;
  readonly id: string;
}

/** What a consumer does with the deliveries of a subscription of its own. */
export interface Deliveries {
  readonly attempts: (subscriptionId: string, query: DeliveryQuery) => Promise<Page<LoggedAttempt>>;
  readonly deadLetters: (subscriptionId: string, query: DeliveryQuery) => Promise<Page<DeadLetter>>;
  /** In: `{}` or `{eventId}`. */
  readonly redrive: (subscription: OwnSubscription, body: unknown) => Promise<RedeliveryAnswer>;
  /** In: `{since, dryRun}`, an ISO 8601 time and, if it is to be counted alone, true. */
  readonly replay: (subscription: OwnSubscription, body: unknown) => Promise<RedeliveryAnswer>;
}

const PAGE_SIZE = 50;
const MAX_PAGE_SIZE = 200;

/** Which page of a log is asked for. Source: decision E7. */
export const logQuery: z.ZodType<Omit<LogPage, "subscriptionId">> = z.strictObject({
  first: queryNumber(z.int().min(1).max(MAX_PAGE_SIZE).default(PAGE_SIZE)).describe("How many entries at most."),
  after: z.guid().optional().describe("Goes on after this entry: the `next` of the page before."),
  eventId: z.guid().optional().describe("Entries of this event alone."),
});

/** Which dead letters are put back. Source: decision E7. */
export const redriveBody: z.ZodType<{ readonly eventId?: string | undefined }> = z.strictObject({
  eventId: z.guid().optional().describe("The one event to send again; without it, all dead letters."),
});

/** What is replayed; `since` is read as milliseconds. Source: decision E7. */
export const replayBody: z.ZodType<{ readonly since: number; readonly dryRun: boolean }> = z.strictObject({
  since: z.iso
    .datetime({ offset: true, error: "must be an ISO 8601 time with its offset, such as 2026-01-31T12:00:00Z" })
    .describe("Events received at this time or later.")
    .transform((text) => Date.parse(text)),
  dryRun: z.boolean().default(false).describe("Whether to count only, and send nothing."),
});

/**
 * Makes the acts on deliveries. The caller has made sure that the subscription is the consumer's.
 *
 * `wake` is told when something was put back. Refuses: BAD_REQUEST, TOKEN_SPENT (where something is put back). Source: decisions E7, I6.
 */
export function createDeliveries(deps: {
  readonly database: Database;
  readonly clock: Clock;
  readonly wake: () => void;
}): Deliveries {
  const { database, clock, wake } = deps;
  const putBack = async ({ asker, id }: OwnSubscription, redelivery: Redelivery): Promise<RedeliveryAnswer> => {
    await spendToken(database, asker);
    const count = await redeliver(database, { subscriptionId: id, redelivery, nowMs: clock.nowMs });
    wake();
    return { dryRun: false, ...count };
  };
  return {
    attempts: async (subscriptionId, query) => {
      const page = readInput(logQuery, query);
      const entries = await listAttempts(database, { subscriptionId, ...page });
      return { entries, next: entries.length < page.first ? null : (entries.at(-1)?.id ?? null) };
    },
    deadLetters: async (subscriptionId, query) => {
      const page = readInput(logQuery, query);
      const entries = await listDeadLetters(database, { subscriptionId, ...page });
      return { entries, next: entries.length < page.first ? null : (entries.at(-1)?.eventId ?? null) };
    },
    redrive: async (subscription, body) => {
      const { eventId } = readInput(redriveBody, body ?? {});
      return putBack(subscription, { kind: "dead", eventId });
    },
    replay: async (subscription, body) => {
      const { since: sinceMs, dryRun } = readInput(replayBody, body);
      const redelivery = { kind: "since", sinceMs } as const;
      if (!dryRun) return putBack(subscription, redelivery);
      return { dryRun, busyLanes: 0, ...(await countRedelivery(database, subscription.id, redelivery)) };
    },
  };
}
