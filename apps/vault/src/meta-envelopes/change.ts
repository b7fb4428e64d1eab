import type { EName } from "@dataspace/protocol/ename";
import type { StoredMetaEnvelope } from "./stored-meta-envelope.ts";

/** The three operations of versions and events. Source: S1 "Version record"; decision V9. */
export type VersionOperation = "create" | "update" | "delete";

/**
 * The writer: the platform that carried the request, the author it asserted, and what was proven. Source: S1 "Version
 * record".
 */
export interface Writer {
  readonly platform: string | null;
  readonly author: string | null;
  readonly subject: EName | null;
  readonly credential: string;
}

/**
 * One write: the MetaEnvelope before (undefined at creation) and after, and the content of its version, log entry and
 * event. The store commits it completely or not at all.
 *
 * `envelopeHash` is hex. `at` is ISO 8601 with milliseconds. `eventId`, `logId` and `baselineLogId` are UUIDs; the last
 * is for the baseline version of a record from before versioning.
 * Source: S1 "States and transitions", "Events"; decision V8.
 */
export interface Change {
  readonly owner: EName;
  readonly before: StoredMetaEnvelope | undefined;
  readonly after: StoredMetaEnvelope;
  readonly operation: VersionOperation;
  /** The operation's name in the log, where it differs from the version's. */
  readonly logOperation: "update_envelope_value" | undefined;
  /** The operation of its event; null suppresses the event, which is then never delivered. */
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
