import { type OwnerPolicyTerms, ownerPolicyPayload, parseOwnerPolicy } from "@dataspace/protocol/owner-policy";
import type { SignedOwnerPolicy } from "@dataspace/protocol/signed-owner-policy";
import { readDocument } from "./read-document.ts";
import type { DocumentSigner } from "./sign-binding-document.ts";
import { signText } from "./sign-text.ts";

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
): Promise<SignedOwnerPolicy> {
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
