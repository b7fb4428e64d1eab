import type { EName } from "@dataspace/protocol/ename";
import type { AskSignature } from "./ask-signature.ts";
import type { DeploymentDeps } from "./deployment-deps.ts";
import { DeploymentError } from "./deployment-error.ts";
import { findSigningCertificate, type SigningCertificate } from "./signing-certificate.ts";

/** What a person is asked to sign. */
interface Wanted {
  readonly registryUrl: string;
  readonly signer: EName;
  readonly text: string;
  readonly shown: Readonly<Record<string, string>>;
}

/**
 * Gets a person's signature and the certificate of the key that made it.
 *
 * Refuses: SIGNATURE_REFUSED, SIGNATURE_MISSING, UNKNOWN_ENAME, UNAVAILABLE. Source: decisions A1, I10.
 */
export async function getPersonSignature(
  deps: Pick<DeploymentDeps, "fetch" | "verifyEcdsa">,
  { registryUrl, ...request }: Wanted,
  ask: AskSignature,
): Promise<SigningCertificate & { readonly signature: string }> {
  const certify = (signature: string) => findSigningCertificate(deps, registryUrl, { ...request, signature });
  const accept = async (signature: string): Promise<boolean> => {
    try {
      return (await certify(signature)) !== undefined;
    } catch (error) {
      if (error instanceof DeploymentError && error.code === "SIGNATURE_REFUSED") return false;
      throw error;
    }
  };
  const signature = await ask({ ...request, accept });
  return { signature, ...(await certify(signature)) };
}
