import { fetchJson } from "@dataspace/clients/timed-fetch";
import { ACCESS_POLICY_ONTOLOGY, ONTOLOGY_ID } from "@dataspace/protocol/ontology-id";
import { DEFAULT_OWNER_TERMS } from "@dataspace/protocol/owner-policy";
import { systemClock } from "@dataspace/service-kit/clock";
import { issueWalletToken } from "@dataspace/wallet/issue-wallet-token";
import { signAccessPolicy } from "@dataspace/wallet/sign-access-policy";
import { createWalletKey, type WalletKey } from "@dataspace/wallet/wallet-key";
import type { EName } from "@dataspace/protocol/ename";
import { createOwner } from "../create-owner.ts";
import { openOwnerVault } from "../open-owner-vault.ts";

/** Where the services are. */
export interface PlatformSpace {
  readonly registryUrl: string;
  readonly vaultUrl: string;
  readonly authorityUrl: string;
}

/** A person with a wallet. */
export interface WalletPerson {
  readonly ename: EName;
  readonly key: WalletKey;
}

/** Makes a person with a wallet and a vault. Refuses: UpstreamError. */
export async function createWalletPerson(space: PlatformSpace): Promise<WalletPerson> {
  const key = await createWalletKey({ exportable: true });
  return { ename: await createOwner(space, key.publicKey), key };
}

/** Writes what the owner of the story has: one post and one ledger, of two domains. Refuses: VaultError. */
export async function fillVault(space: PlatformSpace, owner: WalletPerson): Promise<void> {
  const vault = openOwnerVault(space, owner);
  const post = { text: "The rains came early this year.", authorName: "Amina Diallo" };
  await vault.create({ ontology: ONTOLOGY_ID.SocialMediaPost, payload: post, acl: ["*"] });
  await vault.create({ ontology: ONTOLOGY_ID.Ledger, payload: { balance: 12 }, acl: ["*"] });
}

/** Has the owner refuse a domain to all platforms, by a signed policy. Refuses: VaultError. Source: decision A2. */
export async function refuseDomain(space: PlatformSpace, owner: WalletPerson, domain: string): Promise<void> {
  const policy = await signAccessPolicy(
    { ...DEFAULT_OWNER_TERMS, deniedDomains: [domain] },
    { ...owner, clock: systemClock },
  );
  const input = { ontology: ACCESS_POLICY_ONTOLOGY, payload: { ...policy }, acl: [] };
  await openOwnerVault(space, owner).create(input);
}

/** Has a reviewer grant a submission. Out: the certificate's id. Refuses: UpstreamError. Source: decision A6. */
export async function grantSubmission(
  space: PlatformSpace,
  reviewer: WalletPerson,
  { submissionId, domains }: { readonly submissionId: string; readonly domains: readonly string[] },
): Promise<string> {
  const body = { decision: "granted", level: "L3", domains };
  const answer = await postAsReviewer(space, reviewer, { path: `/submissions/${submissionId}/decision`, body });
  return (answer as { readonly certificateId: string }).certificateId;
}

/** Has a reviewer revoke a certificate. Refuses: UpstreamError. Source: decision A6. */
export async function revokeCertificate(space: PlatformSpace, reviewer: WalletPerson, jti: string): Promise<void> {
  await postAsReviewer(space, reviewer, { path: `/certificates/${jti}/revoke`, body: { reason: "The demo ends." } });
}

async function postAsReviewer(
  { authorityUrl }: PlatformSpace,
  { ename, key }: WalletPerson,
  { path, body }: { readonly path: string; readonly body: object },
): Promise<unknown> {
  const token = await issueWalletToken({ key, clock: systemClock }, { ename, audience: authorityUrl });
  const headers = { authorization: `Bearer ${token}` };
  return fetchJson(fetch, { url: `${authorityUrl}${path}`, method: "POST", headers, body });
}
