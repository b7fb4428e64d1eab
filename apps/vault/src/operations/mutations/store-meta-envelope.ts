import { ACCESS_POLICY_ONTOLOGY, BINDING_DOCUMENT_ONTOLOGY } from "@dataspace/protocol/ontology-id";
import type { Caller } from "../../caller/caller.ts";
import { refusal } from "../../errors.ts";
import type { MetaEnvelopeInput } from "../../meta-envelopes/meta-envelope-input.ts";
import type { VisibleMetaEnvelope } from "../../meta-envelopes/stored-meta-envelope.ts";
import { isNewAndKeyless } from "../../store/vault-rows.ts";
import type { WriteDeps } from "../write-deps.ts";
import { findCreateRefusal } from "./assert-may-create.ts";
import { createOwnerPolicy, type OwnerPolicyDeps } from "./create-owner-policy.ts";
import { insertMetaEnvelope } from "./insert-meta-envelope.ts";

/** What happens to a MetaEnvelope from a caller who may not create: `DS_ANONYMOUS_STORE`. Source: decision I3. */
export type AnonymousStore = "quarantine" | "allow" | "deny";

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
  deps: OwnerPolicyDeps & { readonly anonymousStore: AnonymousStore },
  caller: Caller,
  input: MetaEnvelopeInput,
): Promise<VisibleMetaEnvelope> {
  if (findCreateRefusal(caller, input.ontology, await deps.guard.gatesOf(caller)) === undefined) {
    if (input.ontology === ACCESS_POLICY_ONTOLOGY) return createOwnerPolicy(deps, caller, input);
    return insertMetaEnvelope(deps, caller, { input, quarantined: false });
  }
  const signed = input.ontology === BINDING_DOCUMENT_ONTOLOGY || input.ontology === ACCESS_POLICY_ONTOLOGY;
  if (deps.anonymousStore === "deny" || signed || input._acl != null) {
    throw refusal("UNAUTHENTICATED", "Storing this needs a credential of the owner or of a platform.");
  }
  const stranger = { ...caller, credential: "anonymous", subject: null, platform: null, author: null } as const;
  return insertMetaEnvelope(deps, stranger, { input, quarantined: await isQuarantined(deps, caller) });
}

async function isQuarantined(
  {
    database,
    clock,
    anonymousStore,
  }: Pick<WriteDeps, "database" | "clock"> & { readonly anonymousStore: AnonymousStore },
  { owner, credential }: Caller,
): Promise<boolean> {
  if (anonymousStore !== "quarantine") return false;
  const after = new Date(clock.nowMs() - NEW_VAULT_MS).toISOString();
  return credential !== "anonymous" || !(await isNewAndKeyless(database, owner, after));
}
