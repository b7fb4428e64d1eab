import { ACCESS_POLICY_ONTOLOGY, BINDING_DOCUMENT_ONTOLOGY } from "@dataspace/protocol/ontology-id";
import type { Caller } from "../../caller/caller.ts";
import { refusal } from "../../errors.ts";
import type { MetaEnvelopeInput } from "../../meta-envelopes/meta-envelope-input.ts";
import type { VisibleMetaEnvelope } from "../../meta-envelopes/stored-meta-envelope.ts";
import { isNewAndKeyless } from "../../store/vault-rows.ts";
import type { OperationDeps } from "../operation-deps.ts";
import { findCreateRefusal } from "./assert-may-create.ts";
import { insertMetaEnvelope } from "./create-meta-envelope.ts";
import { createOwnerPolicy } from "./create-owner-policy.ts";

const NEW_VAULT_MS = 10 * 60_000;

/**
 * Stores a MetaEnvelope with the old operation, which needs only X-ENAME. For a caller who may create it equals
 * `createMetaEnvelope`. From anybody else it is stored under a new id, with unknown platform and author, and only the
 * owner sees it until the owner changes it. In the first ten minutes of a vault that has never had a key, a record
 * without a token is not quarantined: platforms write the manifest of a new group that way.
 *
 * Refuses: UNAUTHENTICATED (not allowed here at all, a policy, or an ontology whose documents are signed), and as
 * `insertMetaEnvelope` and `createOwnerPolicy`.
 * Source: S1 "storeMetaEnvelope", "Bearer token"; decisions I3, V12, A2.
 */
export async function storeMetaEnvelope(
  deps: Pick<OperationDeps, "writes" | "signatures" | "anonymousStore">,
  caller: Caller,
  input: MetaEnvelopeInput,
): Promise<VisibleMetaEnvelope> {
  if (findCreateRefusal(caller, input.ontology, await deps.writes.guard.gatesOf(caller)) === undefined) {
    if (input.ontology === ACCESS_POLICY_ONTOLOGY) return createOwnerPolicy(deps, caller, input);
    return insertMetaEnvelope(deps.writes, caller, { input, quarantined: false });
  }
  const signed = input.ontology === BINDING_DOCUMENT_ONTOLOGY || input.ontology === ACCESS_POLICY_ONTOLOGY;
  if (deps.anonymousStore === "deny" || signed || input._acl != null) {
    throw refusal("UNAUTHENTICATED", "Storing this needs a credential of the owner or of a platform.");
  }
  // Also a platform session counts as a guest here: the owner's policy does not grant what its gates refuse.
  const principal = { kind: "anonymous" } as const;
  const unproven = { principal, credential: "anonymous", subject: null, platform: null, author: null } as const;
  const quarantined = await isQuarantined(deps, caller);
  return insertMetaEnvelope(deps.writes, { ...caller, ...unproven }, { input, quarantined });
}

async function isQuarantined(
  { writes, anonymousStore }: Pick<OperationDeps, "writes" | "anonymousStore">,
  { owner, credential }: Caller,
): Promise<boolean> {
  if (anonymousStore !== "quarantine") return false;
  const after = new Date(writes.clock.nowMs() - NEW_VAULT_MS).toISOString();
  return credential !== "anonymous" || !(await isNewAndKeyless(writes.store.database, owner, after));
}
