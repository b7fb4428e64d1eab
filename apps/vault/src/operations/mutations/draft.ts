import type { EName } from "@dataspace/protocol/ename";
import type { HashedWrite } from "@dataspace/protocol/envelope-hash-text";
import { writesAsGuest } from "../../access/owner.ts";
import type { Caller } from "../../caller/caller.ts";
import type { VersionOperation } from "../../meta-envelopes/change.ts";
import type { ReadMetaEnvelopeInput } from "../../meta-envelopes/meta-envelope-input.ts";
import type { Payload } from "../../meta-envelopes/payload.ts";
import type { StoredMetaEnvelope } from "../../meta-envelopes/stored-meta-envelope.ts";
import type { NewIds } from "../write-deps.ts";

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

/**
 * A MetaEnvelope to insert. A quarantined one is visible only to the owner and to whoever opened it, and its event is
 * suppressed, until the owner changes it.
 */
export interface Insertion {
  readonly id: string;
  readonly input: ReadMetaEnvelopeInput;
  readonly payloadText: string;
  readonly quarantined: boolean;
  readonly openedBy?: EName | null;
}

/** Drafts the first version of a MetaEnvelope, at the next place in creation order. */
export function draftInsertion(
  { creationOrder }: Pick<NewIds, "creationOrder">,
  caller: Pick<Caller, "owner" | "principal">,
  { id, input, payloadText, quarantined, openedBy = null }: Insertion,
): Draft {
  const { owner } = caller;
  const { ontology, payload, aclBlock = null } = input;
  // Under a policy the array is the owner's alone, so that a build without policies opens nothing. Source: decision
  // V11.
  const acl = aclBlock === null ? (input.acl ?? [owner]) : [owner];
  const guest = writesAsGuest(caller, undefined);
  const state = { aclBlock, version: 1, removed: false, quarantined, openedBy, guest, ord: creationOrder() };
  return {
    after: { id, ontology, payloadText, acl, ...state },
    payload,
    operation: "create",
    announced: quarantined ? null : "create",
    hashed: { id, ontology, payloadText },
  };
}
