import { ACCESS_POLICY_ONTOLOGY, BINDING_DOCUMENT_ONTOLOGY } from "@dataspace/protocol/ontology-id";
import type { Refusal } from "@dataspace/service-kit/http/refusal";
import { refusal } from "../errors.ts";
import { readAcl, readAclBlock } from "./acl.ts";
import { assertPayload, isStorable, type Payload } from "./payload.ts";

/** The input of a create or an update, as GraphQL has it. */
export interface MetaEnvelopeInput {
  readonly ontology: string;
  readonly payload: unknown;
  readonly acl?: readonly string[] | null;
  readonly _acl?: unknown;
}

/**
 * The parsed input. The payload is preserved exactly. The array contains `*` and eNames, or is undefined where none was
 * given. The policy is the text to store, null to remove it, or undefined where none was given.
 */
export interface ReadMetaEnvelopeInput {
  readonly ontology: string;
  readonly payload: Payload;
  readonly acl: readonly string[] | undefined;
  readonly aclBlock: string | null | undefined;
}

const MAX_ONTOLOGY_CHARACTERS = 256;

/**
 * Reads the input of a create or an update.
 *
 * Refuses: BAD_USER_INPUT, INVALID_TEXT, INVALID_ACL, USE_BINDING_DOCUMENT_MUTATION, and what `assertPayload` refuses.
 * Source: S1 "GraphQL mutations"; decisions V1, V7, V14, V19.
 */
export function readMetaEnvelopeInput(input: MetaEnvelopeInput): ReadMetaEnvelopeInput {
  assertOntology(input.ontology);
  assertPayload(input.payload, "payload");
  return {
    ontology: input.ontology,
    payload: input.payload,
    acl: input.acl == null ? undefined : readAcl(input.acl),
    aclBlock: readAclBlock(input._acl),
  };
}

function assertOntology(ontology: string): void {
  if (!isStorable(ontology)) {
    throw refusal("INVALID_TEXT", "The ontology holds U+0000 or an unpaired surrogate; remove it.", "ontology");
  }
  const isLong = ontology.length > 2 * MAX_ONTOLOGY_CHARACTERS || [...ontology].length > MAX_ONTOLOGY_CHARACTERS;
  if (ontology === "" || isLong) {
    throw refusal("BAD_USER_INPUT", `An ontology has 1 to ${MAX_ONTOLOGY_CHARACTERS} characters.`, "ontology");
  }
  assertNoBindingDocument(ontology);
}

/**
 * Refuses to change records that were signed as a whole: binding documents, and the owner's access policies, which are
 * replaced by newer ones.
 *
 * Refuses: USE_BINDING_DOCUMENT_MUTATION, INVALID_ACCESS_POLICY. Source: decisions V14, A1.
 */
export function assertWritableOntology(ontology: string): void {
  assertNoBindingDocument(ontology);
  if (ontology === ACCESS_POLICY_ONTOLOGY) throw changesOwnerPolicy();
}

/** The refusal of a write that would change an owner's access policy, or bypass its checks. Source: decision A1. */
export function changesOwnerPolicy(): Refusal {
  const message =
    "An access policy is never changed or removed; sign a newer one and create it with createMetaEnvelope.";
  return refusal("INVALID_ACCESS_POLICY", message, "ontology");
}

function assertNoBindingDocument(ontology: string): void {
  if (ontology === BINDING_DOCUMENT_ONTOLOGY) {
    throw refusal(
      "USE_BINDING_DOCUMENT_MUTATION",
      "Binding documents are written by createBindingDocument.",
      "ontology",
    );
  }
}
