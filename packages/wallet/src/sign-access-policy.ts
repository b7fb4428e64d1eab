import { type OwnerPolicyTerms, ownerPolicyPayload, parseOwnerPolicy } from "@dataspace/protocol/owner-policy";
import type { SignedOwnerPolicy } from "@dataspace/protocol/signed-owner-policy";
import { readDocument } from "./read-document.ts";
import type { DocumentSigner } from "./sign-binding-document.ts";
import { signText } from "./sign-text.ts";

/**
 * Signs which platforms an owner admits. The owner states it, so the subject is the signer.
 *
 * In: all terms. Out: the payload of a MetaEnvelope of the access-policy ontology.
 * Refuses: INVALID_DOCUMENT with the invalid term; KEY_FAILED.
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
