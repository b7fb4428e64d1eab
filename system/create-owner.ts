import { randomUUID } from "node:crypto";
import { createProvisionerClient } from "@dataspace/clients/provisioner-client";
import { createRegistryClient } from "@dataspace/clients/registry-client";
import { DEMO_VERIFICATION_CODE } from "@dataspace/protocol/demo-verification-code";
import type { EName } from "@dataspace/protocol/ename";

/**
 * Creates an owner with a vault like a wallet: entropy from the registry, then the provisioner with the demo code.
 *
 * In: the public key of the owner's wallet, or undefined for a keyless vault. Out: the new eName.
 * Refuses: UpstreamError, with the registry's or the provisioner's refusal. Source: S1 "POST /provision"; decision V17.
 */
export async function createOwner(
  where: { readonly registryUrl: string; readonly vaultUrl: string },
  publicKey: string | undefined,
): Promise<EName> {
  const registry = createRegistryClient({ fetch }, { registryUrl: where.registryUrl });
  const provisioner = createProvisionerClient({ fetch }, { provisionerUrl: where.vaultUrl });
  const { dsid } = await provisioner.provision({
    registryEntropy: await registry.requestEntropy(),
    namespace: randomUUID(),
    verificationId: DEMO_VERIFICATION_CODE,
    ...(publicKey === undefined ? {} : { publicKey }),
  });
  return dsid;
}
