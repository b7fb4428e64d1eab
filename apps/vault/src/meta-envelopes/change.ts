import type { EName } from "@dataspace/protocol/ename";
import type { StoredMetaEnvelope } from "./stored-meta-envelope.ts";

/** The three operations of versions and events. Source: S1 "Version record"; decision V9. */
export type VersionOperation = "create" | "update" | "delete";

/** Who wrote: the platform that carried the request, whom it said it acted for, and what was proven. Source: S1 "Version record". */
export interface Writer {
  readonly platform: string | null;
  readonly author: string | null;
  readonly subject: EName | null;
  readonly credential: string;
}

/**
 * One write: the MetaEnvelope before (undefined at creation) and after, and all that its version, log entry and event say.
 * The store commits it whole or not at all.
 *
 * `envelopeHash` is hex. `at` is ISO 8601 with milliseconds; `eventId`, `logId` and `baselineLogId` are UUIDs, the last for the
 * baseline version that a record from before versioning gets.
 * Source: S1 "States and transitions", "Events"; decision V8.
 */
export interface Change {
  readonly owner: EName;
  readonly before: StoredMetaEnvelope | undefined;
  readonly after: StoredMetaEnvelope;
  readonly operation: VersionOperation;
  /** How the log names the operation, where that is not the version's own name. */
  readonly logOperation: "update_envelope_value" | undefined;
  /** The operation of its event; null records it as suppressed, which is never delivered. */
  readonly announced: VersionOperation | null;
  /** The version that a rollback restored. */
  readonly restoredFrom: number | null;
  readonly envelopeHash: string;
  readonly writer: Writer;
  /** Whether its bytes count against the quota of guests. */
  readonly byGuest: boolean;
  readonly at: string;
  readonly eventId: string;
  readonly logId: string;
  readonly baselineLogId: string | undefined;
}
