import type { HashedWrite } from "@dataspace/protocol/envelope-hash-text";
import type { VersionOperation } from "../../meta-envelopes/change.ts";
import type { Payload } from "../../meta-envelopes/payload.ts";
import type { StoredMetaEnvelope } from "../../meta-envelopes/stored-meta-envelope.ts";

/** What an operation makes of a MetaEnvelope: how it is afterwards, its payload as a value, and what its log entry hashes. */
export interface Draft {
  readonly after: StoredMetaEnvelope;
  readonly payload: Payload;
  readonly operation: VersionOperation;
  readonly hashed: HashedWrite;
  readonly logOperation?: "update_envelope_value";
  /** The operation of its event where that is not its own; null suppresses it. */
  readonly announced?: VersionOperation | null;
  /** The version that a rollback restored. */
  readonly restoredFrom?: number;
  /** Whether the owner replaces the policy and nothing else, which no quota refuses (decision V22). */
  readonly replacesPolicy?: boolean;
  /** The fields that the write gives where it leaves others as they were; absent: all. */
  readonly written?: readonly string[];
}
