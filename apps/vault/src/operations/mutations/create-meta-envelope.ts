import { ACCESS_POLICY_ONTOLOGY } from "@dataspace/protocol/ontology-id";
import type { Caller } from "../../caller/caller.ts";
import type { MetaEnvelopeInput } from "../../meta-envelopes/meta-envelope-input.ts";
import type { VisibleMetaEnvelope } from "../../meta-envelopes/stored-meta-envelope.ts";
import { assertAuthenticated } from "../assert-authenticated.ts";
import type { OperationDeps } from "../operation-deps.ts";
import { assertMayCreate } from "./assert-may-create.ts";
import { createOwnerPolicy } from "./create-owner-policy.ts";
import { insertMetaEnvelope } from "./insert-meta-envelope.ts";

/**
 * Creates a MetaEnvelope in the addressed vault; one of the ontology of access policies puts the policy into force.
 *
 * Refuses: UNAUTHENTICATED, and as `assertMayCreate`, `insertMetaEnvelope` and `createOwnerPolicy`.
 * Source: S1 "createMetaEnvelope"; decisions V12, A2.
 */
export async function createMetaEnvelope(
  deps: Pick<OperationDeps, "writes" | "signatures">,
  caller: Caller,
  input: MetaEnvelopeInput,
): Promise<VisibleMetaEnvelope> {
  assertAuthenticated(caller);
  if (input.ontology === ACCESS_POLICY_ONTOLOGY) return createOwnerPolicy(deps, caller, input);
  await assertMayCreate(deps.writes, caller, input.ontology);
  return insertMetaEnvelope(deps.writes, caller, { input, quarantined: false });
}
