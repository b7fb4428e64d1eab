import type { EName } from "@dataspace/protocol/ename";
import type { OwnerPolicyStatement } from "@dataspace/protocol/owner-policy";
import type { EventPolicy } from "../matching/event-policy.ts";
import type { StatedFacts } from "./stated-facts.ts";

/** An event from a vault, with its parsed body: `body` is the exact webhook text, `dsid` the owner. */
export interface IngestedEvent {
  readonly eventId: string;
  readonly dsid: EName;
  readonly recordId: string;
  readonly streamVersion: number;
  readonly schemaId: string;
  readonly operation: "create" | "update" | "delete";
  readonly occurredAt: string;
  readonly body: string;
  readonly requestingPlatform: string | null;
  readonly policy: EventPolicy;
  /** The access policy that the owner has signed last, as the vault knew it; undefined where it has none, or none that can be read. */
  readonly ownerPolicy: OwnerPolicyStatement | undefined;
  readonly stated: StatedFacts;
  /** The span that caused it, as W3C Trace Context writes it; undefined where its mutation was not traced. */
  readonly traceparent: string | undefined;
}

/**
 * Why an event is rejected, so that its sender sends it again. The registry says that the owner's vault is another
 * service's, the registry does not answer, or the version is too far above the newest known one. Source: decision E5.
 */
export type RejectionCode = "NOT_YOUR_OWNER" | "REGISTRY_UNAVAILABLE" | "VERSION_GAP";

/** The result of one event of a request. Source: decision E5. */
export type IngestResult =
  | { readonly eventId: string; readonly status: "accepted" | "duplicate" | "conflict" }
  | { readonly eventId: string; readonly status: "rejected"; readonly code: RejectionCode };
