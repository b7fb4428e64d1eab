import { type EName, isEName } from "@dataspace/protocol/ename";
import { type Fetch, fetchJson } from "./timed-fetch.ts";
import { UpstreamError } from "./upstream-error.ts";

/** A request for a new vault; without `publicKey` the vault is keyless. */
export interface ProvisionRequest {
  readonly registryEntropy: string;
  readonly namespace: string;
  readonly verificationId: string;
  readonly publicKey?: string;
}

/** A new eName and the base address of its vault. */
export interface ProvisionedVault {
  readonly dsid: EName;
  readonly uri: string;
}

/** Creates new vaults. */
export interface ProvisionerClient {
  readonly provision: (request: ProvisionRequest) => Promise<ProvisionedVault>;
}

const TIMEOUT_MS = 15_000;

/**
 * Makes a client of the provisioning service.
 *
 * Refuses: `provision` rejects with an UpstreamError; its `refusal.code` is the service's. With ENTROPY_SPENT the
 * member `existingDsid` of `refusal.body` is the eName that the entropy produced. After REGISTRY_UNAVAILABLE or a
 * timeout the same request may be sent again.
 * Source: S1 "HTTP endpoints" (POST /provision); decision V17.
 */
export function createProvisionerClient(
  deps: { readonly fetch: Fetch },
  config: { readonly provisionerUrl: string; readonly timeoutMs?: number },
): ProvisionerClient {
  return {
    provision: async (request) => {
      const answer = await fetchJson(deps.fetch, {
        url: `${config.provisionerUrl}/provision`,
        method: "POST",
        body: request,
        // The service in turn makes up to two requests to the registry, each of which may take 5 s.
        timeoutMs: config.timeoutMs ?? TIMEOUT_MS,
      });
      return readProvisioned(answer);
    },
  };
}

function readProvisioned(answer: unknown): ProvisionedVault {
  const { success, dsid, uri } = (answer ?? {}) as Record<string, unknown>;
  if (success !== true || !isEName(dsid) || typeof uri !== "string" || !URL.canParse(uri)) {
    throw new UpstreamError("malformed", "The provisioner's answer is not an eName and an address.");
  }
  return { dsid, uri };
}
