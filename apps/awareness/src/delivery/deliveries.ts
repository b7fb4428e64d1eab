import type { Clock } from "@dataspace/service-kit/clock";
import type { Database } from "@dataspace/service-kit/database";
import { awarenessRefusal } from "../errors.ts";
import { type DeadLetter, type LoggedAttempt, listAttempts, listDeadLetters } from "../store/delivery-log.ts";
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

/** What a consumer does with the deliveries of a subscription of its own. */
export interface Deliveries {
  readonly attempts: (subscriptionId: string, query: DeliveryQuery) => Promise<Page<LoggedAttempt>>;
  readonly deadLetters: (subscriptionId: string, query: DeliveryQuery) => Promise<Page<DeadLetter>>;
  /** In: `{}` or `{eventId}`. */
  readonly redrive: (subscriptionId: string, body: unknown) => Promise<RedeliveryAnswer>;
  /** In: `{since, dryRun}`, an ISO 8601 time and, if it is to be counted alone, true. */
  readonly replay: (subscriptionId: string, body: unknown) => Promise<RedeliveryAnswer>;
}

const PAGE_SIZE = 50;
const MAX_PAGE_SIZE = 200;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;

/**
 * Makes the acts on deliveries. The caller has made sure that the subscription is the consumer's.
 *
 * `wake` is told when something was put back. Refuses: BAD_REQUEST. Source: decision E7.
 */
export function createDeliveries(deps: {
  readonly database: Database;
  readonly clock: Clock;
  readonly wake: () => void;
}): Deliveries {
  const { database, clock, wake } = deps;
  const putBack = async (subscriptionId: string, redelivery: Redelivery): Promise<RedeliveryAnswer> => {
    const count = await redeliver(database, { subscriptionId, redelivery, nowMs: clock.nowMs });
    wake();
    return { dryRun: false, ...count };
  };
  return {
    attempts: async (subscriptionId, query) => {
      const page = readPage(query);
      const entries = await listAttempts(database, { subscriptionId, ...page });
      return { entries, next: entries.length < page.first ? null : (entries.at(-1)?.id ?? null) };
    },
    deadLetters: async (subscriptionId, query) => {
      const page = readPage(query);
      const entries = await listDeadLetters(database, { subscriptionId, ...page });
      return { entries, next: entries.length < page.first ? null : (entries.at(-1)?.eventId ?? null) };
    },
    redrive: (subscriptionId, body) => {
      const { eventId } = readMembers(body ?? {}, ["eventId"]);
      return putBack(subscriptionId, { kind: "dead", eventId: readUuid(eventId, "eventId") });
    },
    replay: async (subscriptionId, body) => {
      const { since, dryRun = false } = readMembers(body, ["since", "dryRun"]);
      if (typeof dryRun !== "boolean") throw awarenessRefusal("BAD_REQUEST", "Give dryRun as true or false.");
      const redelivery = { kind: "since", sinceMs: readTime(since) } as const;
      if (!dryRun) return putBack(subscriptionId, redelivery);
      return { dryRun, busyLanes: 0, ...(await countRedelivery(database, subscriptionId, redelivery)) };
    },
  };
}

function readPage(query: DeliveryQuery): {
  readonly first: number;
  readonly after: string | undefined;
  readonly eventId: string | undefined;
} {
  const { first = String(PAGE_SIZE), after, eventId } = readMembers(query, ["first", "after", "eventId"]);
  const size = typeof first === "string" && /^\d{1,3}$/.test(first) ? Number(first) : 0;
  if (size < 1 || size > MAX_PAGE_SIZE) {
    throw awarenessRefusal("BAD_REQUEST", `Give first as a whole number from 1 to ${MAX_PAGE_SIZE}.`);
  }
  return { first: size, after: readUuid(after, "after"), eventId: readUuid(eventId, "eventId") };
}

function readMembers(value: unknown, names: readonly string[]): Readonly<Record<string, unknown>> {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  if (!isObject || Object.keys(value).some((name) => !names.includes(name))) {
    throw awarenessRefusal("BAD_REQUEST", `Give no other members than ${names.join(", ")}.`);
  }
  return value as Readonly<Record<string, unknown>>;
}

function readUuid(value: unknown, name: string): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value === "string" && UUID.test(value)) return value;
  throw awarenessRefusal("BAD_REQUEST", `Give ${name} as a UUID.`);
}

function readTime(value: unknown): number {
  const ms = typeof value === "string" && TIME.test(value) ? Date.parse(value) : Number.NaN;
  if (!Number.isNaN(ms)) return ms;
  throw awarenessRefusal(
    "BAD_REQUEST",
    "Give since as an ISO 8601 time with its offset, such as 2026-01-31T12:00:00Z.",
  );
}
