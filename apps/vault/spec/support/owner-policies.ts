import { ACCESS_POLICY_ONTOLOGY } from "@dataspace/protocol/ontology-id";
import { DEFAULT_OWNER_TERMS, type OwnerPolicyTerms } from "@dataspace/protocol/owner-policy";
import { type Clock, systemClock } from "@dataspace/service-kit/clock";
import { signAccessPolicy } from "@dataspace/wallet/sign-access-policy";
import type { SignedOwnerPolicy } from "@dataspace/protocol/signed-owner-policy";
import { type Answer, askGraphQL } from "./ask.ts";
import { DOCUMENTS } from "./operations.ts";
import type { Person } from "./people.ts";
import type { TestVault } from "./start-vault.ts";

/** Signs an access policy of a person; absent members are not set. `atMs` is when it is issued. */
export function signPolicy(
  { ename, key }: Person,
  terms: Partial<OwnerPolicyTerms>,
  clock: Clock = systemClock,
): Promise<SignedOwnerPolicy> {
  return signAccessPolicy({ ...DEFAULT_OWNER_TERMS, ...terms }, { ename, key, clock });
}

/** Sends a policy, whatever it is, to the vault of an owner, by the owner's wallet unless other headers are given. */
export async function sendPolicy(
  vault: Pick<TestVault, "url">,
  owner: Person,
  payload: unknown,
  headers?: Readonly<Record<string, string>>,
): Promise<Answer> {
  const input = { ontology: ACCESS_POLICY_ONTOLOGY, payload, acl: [] };
  return askGraphQL(vault, owner.ename, DOCUMENTS.create, { input }, headers ?? (await owner.at(owner.ename)));
}

/** Signs a policy and puts it into force. */
export async function setPolicy(
  vault: Pick<TestVault, "url">,
  owner: Person,
  terms: Partial<OwnerPolicyTerms>,
): Promise<void> {
  const { body } = await sendPolicy(vault, owner, await signPolicy(owner, terms));
  const { errors } = body.data.createMetaEnvelope;
  if (errors.length > 0) throw new Error(JSON.stringify(errors));
}
