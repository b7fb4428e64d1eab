import { constants, setPriority } from "node:os";
import { startChild } from "./child.ts";
import type { LoadResult } from "./load-process.ts";
import type { ReceivedCounts } from "./webhook-receiver.ts";

/** The address for events. `subscriptions` is how many webhooks each event becomes. */
interface Ingest {
  readonly port: number;
  readonly secret: string;
  readonly subscriptions: number;
  readonly durationMs: number;
}

/** Events of so many records, as many as are taken: at most `waiting` webhooks are on their way. */
export interface Feed extends Ingest {
  readonly records: number;
  readonly waiting: number;
}

/** Events at a rate of their own. */
export interface Steady extends Ingest {
  readonly eventsPerSecond: number;
}

/** Webhooks that wait already. */
export interface Drain {
  readonly waiting: number;
  readonly durationMs: number;
}

/**
 * What is beyond an awareness service, in a process of its own: vaults that hand events over, platforms that take webhooks.
 * A result counts webhooks; its latencies are from `occurredAt` to the receiver.
 */
export interface FarEnd extends AsyncDisposable {
  readonly pid: number;
  /** Of the receiver: any path is an endpoint; /hang, /dribble, /redirect, /flood and /close misbehave; /ingest takes events. */
  readonly receiverPort: number;
  readonly counts: () => Promise<ReceivedCounts>;
  readonly feed: (feed: Feed) => Promise<LoadResult>;
  readonly steady: (steady: Steady) => Promise<LoadResult>;
  /** Counts what comes in so many ms, whoever sends it. */
  readonly take: (durationMs: number) => Promise<LoadResult>;
  /** Counts what comes from the first webhook on, until none waits any more, at most so many ms. */
  readonly drain: (drain: Drain) => Promise<LoadResult>;
}

/** Starts the far end. One that stands for another machine takes only what the others leave of these cores. */
export async function startFarEnd({ isElsewhere = false }: { readonly isElsewhere?: boolean } = {}): Promise<FarEnd> {
  const child = startChild("far-end-child.ts");
  if (isElsewhere) setPriority(child.pid, constants.priority.PRIORITY_LOW);
  return {
    pid: child.pid,
    receiverPort: await child.ask<number>("port"),
    counts: () => child.ask("counts"),
    feed: (feed) => child.ask("feed", feed),
    steady: (steady) => child.ask("steady", steady),
    take: (durationMs) => child.ask("take", durationMs),
    drain: (drain) => child.ask("drain", drain),
    [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
  };
}

/** Refuses: an Error when a webhook came before its predecessor, which no rate excuses. */
export async function assertInOrder(farEnd: FarEnd): Promise<ReceivedCounts> {
  const counts = await farEnd.counts();
  if (counts.faults > 0) throw new Error(`${counts.faults} webhooks came before their predecessors`);
  return counts;
}
