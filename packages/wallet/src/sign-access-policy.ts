import {
  type OwnerPolicyStatement,
  type OwnerPolicyTerms,
  ownerPolicyPayload,
  parseOwnerPolicy,
} from "@dataspace/protocol/owner-policy";
import type { EName } from "@dataspace/protocol/ename";
import { readDocument } from "./read-document.ts";
import type { DocumentSigner } from "./sign-binding-document.ts";
import { signText } from "./sign-text.ts";

/** An owner's access policy as it lies in the vault: the statement, the text that was signed, and by whom. */
export interface SignedAccessPolicy {
  readonly statement: OwnerPolicyStatement;
  readonly payload: string;
  readonly signature: string;
  readonly signer: EName;
}

/**
 * Signs which platforms an owner lets in; it is the owner's word, so its subject is its signer.
 *
 * In: all terms, none left out. Out: the payload of a MetaEnvelope of the ontology of access policies.
 * Refuses: INVALID_DOCUMENT with the term that is wrong; KEY_FAILED.
 * Source: S3 "Canonical payloads"; decisions A1, A2.
 */
export async function signAccessPolicy(
  terms: OwnerPolicyTerms,
  { ename, key, clock }: DocumentSigner,
): Promise<SignedAccessPolicy> {
  const statement = readDocument(parseOwnerPolicy, {
    ...terms,
    type: "ds.vault.access-policy",
    schemaVersion: 1,
    subject: ename,
    issuedAt: new Date(clock.nowMs()).toISOString(),
    nonce: crypto.randomUUID(),
  });
  const payload = await ownerPolicyPayload(statement);
  return { statement, payload, signature: await signText(key, payload), signer: ename };
}
