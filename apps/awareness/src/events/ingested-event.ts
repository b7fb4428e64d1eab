import type { EventPolicy } from "../matching/event-policy.ts";

/** An event as a vault sends it, its body read: `body` is the webhook's text to the byte, `dsid` the owner. */
export interface IngestedEvent {
  readonly eventId: string;
  readonly dsid: string;
  readonly recordId: string;
  readonly streamVersion: number;
  readonly schemaId: string;
  readonly operation: "create" | "update" | "delete";
  readonly occurredAt: string;
  readonly body: string;
  readonly requestingPlatform: string | null;
  readonly policy: EventPolicy;
}

/** What became of one event of a request. Source: decision E5. */
export interface IngestResult {
  readonly eventId: string;
  readonly status: "accepted" | "duplicate" | "conflict";
}
