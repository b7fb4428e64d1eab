import type { WebhookEvent } from "./webhook-event.ts";
import type { WebhookOutcome, WebhookStore } from "./webhook-store.ts";

interface Applied {
  readonly eventId: string;
  readonly streamVersion: number;
}

interface State {
  /** By record, least recently changed first. */
  readonly applied: Map<string, Applied>;
  /** The latest unfinished call for a record. */
  readonly running: Map<string, Promise<unknown>>;
  readonly maxRecords: number;
}

const DEFAULT_MAX_RECORDS = 100_000;

/**
 * Makes a store in memory, for receivers that can tolerate a repeated event after a restart.
 *
 * In: `maxRecords` to remember, 100,000 when absent; above it the least recently changed record is forgotten.
 * Refuses: never by itself.
 */
export function createMemoryWebhookStore(config: { readonly maxRecords?: number } = {}): WebhookStore<undefined> {
  const maxRecords = config.maxRecords ?? DEFAULT_MAX_RECORDS;
  const state: State = { applied: new Map(), running: new Map(), maxRecords };
  return {
    applyOnce: (event, apply) => {
      const record = JSON.stringify([event.dsid, event.id]);
      return inTurn(state.running, record, () => applyOnce(state, { event, record }, () => apply(undefined)));
    },
  };
}

async function applyOnce(
  { applied, maxRecords }: State,
  { event, record }: { readonly event: WebhookEvent; readonly record: string },
  apply: () => Promise<void>,
): Promise<WebhookOutcome> {
  const last = applied.get(record);
  if (last?.eventId === event.eventId) return "duplicate";
  if (last !== undefined && event.streamVersion <= last.streamVersion) return "stale";
  await apply();
  applied.delete(record);
  applied.set(record, { eventId: event.eventId, streamVersion: event.streamVersion });
  if (applied.size > maxRecords) applied.delete(applied.keys().next().value as string);
  return "applied";
}

async function inTurn<Result>(
  running: Map<string, Promise<unknown>>,
  record: string,
  act: () => Promise<Result>,
): Promise<Result> {
  const before = running.get(record) ?? Promise.resolve();
  const turn = before.then(act, act);
  running.set(record, turn);
  try {
    return await turn;
  } finally {
    if (running.get(record) === turn) running.delete(record);
  }
}
