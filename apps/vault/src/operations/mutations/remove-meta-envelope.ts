import { ACCESS_POLICY_ONTOLOGY } from "@dataspace/protocol/ontology-id";
import type { Caller } from "../../caller/caller.ts";
import { changesOwnerPolicy } from "../../meta-envelopes/meta-envelope-input.ts";
import type { Payload } from "../../meta-envelopes/payload.ts";
import type { StoredMetaEnvelope } from "../../meta-envelopes/stored-meta-envelope.ts";
import type { WriteDeps } from "../write-deps.ts";
import { changeMetaEnvelope } from "./change-meta-envelope.ts";
import type { Draft } from "./draft.ts";

/**
 * Removes a MetaEnvelope from every read. Its data and history are retained, and its last policy still guards them.
 *
 * Out: the id. Refuses: as `changeMetaEnvelope`; INVALID_ACCESS_POLICY for an access policy, which only a newer one replaces. Source: S1 "What the service does" 7, "removeMetaEnvelope".
 */
export async function removeMetaEnvelope(deps: WriteDeps, caller: Caller, id: string): Promise<string> {
  await changeMetaEnvelope(deps, caller, { id, permission: "DELETE", draft });
  return id;
}

function draft(before: StoredMetaEnvelope): Draft {
  if (before.ontology === ACCESS_POLICY_ONTOLOGY) throw changesOwnerPolicy();
  return {
    after: { ...before, removed: true },
    payload: JSON.parse(before.payloadText) as Payload,
    operation: "delete",
    hashed: { id: before.id },
  };
}
