import type { Outcome } from "../print-outcome.ts";
import { callAwareness } from "./awareness-api.ts";
import { readAwarenessApi } from "./read-awareness-api.ts";

/** What is delivered again: dead letters, or one of them, or with `since` all events since a time. */
interface ResendRequest {
  readonly event?: string;
  readonly since?: string;
  readonly dryRun?: boolean;
}

/**
 * Asks the awareness service to deliver events of a subscription again.
 *
 * Out: the service's own answer, one member a line. Refuses: StartupError 78 for settings; as `callAwareness`. Source: decision E7.
 */
export async function resend(
  env: Readonly<Record<string, string | undefined>>,
  subscriptionId: string,
  { event: eventId, since, dryRun = false }: ResendRequest,
): Promise<Outcome> {
  const isReplay = since !== undefined;
  const path = `/api/subscriptions/${encodeURIComponent(subscriptionId)}/${isReplay ? "replay" : "redrive"}`;
  const body = isReplay ? { since, dryRun } : { eventId };
  const json = await callAwareness<Readonly<Record<string, unknown>>>(readAwarenessApi(env), {
    method: "POST",
    path,
    body,
  });
  const lines = Object.entries(json).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return { lines, json };
}
