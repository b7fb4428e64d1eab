import type { HashedWrite } from "@dataspace/protocol/envelope-hash-text";
import type { VersionOperation } from "../../meta-envelopes/change.ts";
import type { Payload } from "../../meta-envelopes/payload.ts";
import type { StoredMetaEnvelope } from "../../meta-envelopes/stored-meta-envelope.ts";

/**
 * The result of an operation on a MetaEnvelope: its new state, its payload as a value, and what its log entry hashes.
 */
export interface Draft {
  readonly after: StoredMetaEnvelope;
  readonly payload: Payload;
  readonly operation: VersionOperation;
  readonly hashed: HashedWrite;
  readonly logOperation?: "update_envelope_value";
  /** The operation of its event where it differs; null suppresses the event. */
  readonly announced?: VersionOperation | null;
  /** The version that a rollback restored. */
  readonly restoredFrom?: number;
  /** Whether the owner only replaces the policy, which no quota refuses (decision V22). */
  readonly replacesPolicy?: boolean;
  /** The fields in the write, where it leaves others unchanged; absent: all. */
  readonly written?: readonly string[];
}
