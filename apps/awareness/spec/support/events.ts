import { randomUUID } from "node:crypto";

/** What a test may choose about an event; the rest is usual. */
export interface EventChoices {
  readonly eventId?: string;
  readonly id?: string;
  readonly dsid?: string;
  readonly schemaId?: string;
  readonly data?: object;
  readonly streamVersion?: number;
  readonly operation?: string;
  readonly requestingPlatform?: string | null;
  readonly policy?: object;
  /** Members of the body that are to be other than they should; undefined leaves one out. */
  readonly body?: Readonly<Record<string, unknown>>;
}

/** An event as a vault sends it to `/ingest`. */
export interface SentEvent {
  readonly body: string;
  readonly requestingPlatform: string | null;
  readonly policy: object;
}

/** The owner of the records of these tests. */
export const OWNER = "@00000000-0000-4000-8000-000000000001";

/** The id of the webhook in an event. */
export function eventIdOf(event: SentEvent): string {
  return JSON.parse(event.body).eventId;
}

/** Makes an event: of a new record unless one is named, by default readable by everybody with a credential. */
export function makeEvent(choices: EventChoices = {}): SentEvent {
  const webhook = {
    eventId: choices.eventId ?? randomUUID(),
    id: choices.id ?? randomUUID(),
    dsid: choices.dsid ?? OWNER,
    schemaId: choices.schemaId ?? "note",
    data: choices.data ?? { a: 1 },
    vaultPublicKey: "zKey",
    operation: choices.operation ?? "create",
    streamVersion: choices.streamVersion ?? 1,
    occurredAt: "2026-11-22T00:00:00.000Z",
    ...choices.body,
  };
  return {
    body: JSON.stringify(webhook),
    requestingPlatform: choices.requestingPlatform ?? null,
    policy: choices.policy ?? { acl: ["*"], _acl: null, owner: null },
  };
}
