import { UpstreamError } from "@dataspace/clients/upstream-error";
import { entropyToEName } from "@dataspace/protocol/derived-ename";
import { ProtocolError } from "@dataspace/protocol/protocol-error";
import { decodePublicKey, isZeroKey } from "@dataspace/protocol/public-key";
import { faultOfTimes } from "@dataspace/protocol/token-times";
import { z } from "zod";
import type { RemoteKeySet } from "@dataspace/clients/remote-key-set";
import type { EName } from "@dataspace/protocol/ename";
import type { Clock } from "@dataspace/service-kit/clock";
import { provisionerRefusal } from "./errors.ts";
import type { NewPublicKey } from "./provisioner.ts";

/**
 * A checked request for a vault; its verification code, and whether its entropy is unspent, are still to be checked.
 */
export interface ProvisionRequest {
  readonly owner: EName;
  readonly entropy: string;
  readonly verificationId: string;
  readonly publicKey: NewPublicKey | undefined;
}

const MAX_TOKEN_CHARACTERS = 8_192;
const MAX_CHARACTERS = 256;
interface ProvisionBody {
  readonly registryEntropy: string;
  readonly namespace: string;
  readonly verificationId: string;
  readonly publicKey?: string | undefined;
}

/** The body of a provision request. */
export const BODY: z.ZodType<ProvisionBody> = z.object({
  registryEntropy: z.string().min(1).max(MAX_TOKEN_CHARACTERS),
  namespace: z.string().min(1).max(MAX_CHARACTERS),
  verificationId: z.string().min(1).max(MAX_CHARACTERS),
  publicKey: z.string().max(MAX_CHARACTERS).optional(),
});
const ENTROPY = /^[A-Za-z0-9]{20}$/;
// An hour plus the minute by which two clocks may differ.
const MAX_LIFETIME_SECONDS = 3660;
const FOREIGN_CLAIMS = ["platform", "ename", "publicKey"];

/**
 * Reads the body of a provision request; unknown members are ignored.
 *
 * Refuses: BAD_REQUEST, INVALID_ENTROPY, REGISTRY_UNAVAILABLE (its keys are not available), INVALID_NAMESPACE,
 * INVALID_PUBLIC_KEY, in this order.
 * Source: S1 "HTTP endpoints" (POST /provision); decision V17.
 */
export async function readProvisionRequest(
  deps: { readonly registryKeys: RemoteKeySet; readonly clock: Clock },
  body: unknown,
): Promise<ProvisionRequest> {
  const members = BODY.safeParse(body).data;
  if (members === undefined) {
    throw provisionerRefusal(
      "BAD_REQUEST",
      "Send a JSON object with registryEntropy, namespace, verificationId and, where the vault is to have a key, publicKey, each as text " +
        `of at most ${MAX_CHARACTERS} characters, registryEntropy of ${MAX_TOKEN_CHARACTERS}.`,
    );
  }
  const entropy = await readEntropy(deps, members.registryEntropy);
  return {
    owner: deriveOwner(members.namespace, entropy),
    entropy,
    verificationId: members.verificationId,
    publicKey: members.publicKey === undefined ? undefined : readPublicKey(members.publicKey),
  };
}

async function readEntropy(
  deps: { readonly registryKeys: RemoteKeySet; readonly clock: Clock },
  token: string,
): Promise<string> {
  const { payload } = await verifyToken(deps.registryKeys, token);
  const { entropy } = payload;
  const isOther = FOREIGN_CLAIMS.some((name) => Object.hasOwn(payload, name));
  if (isOther || typeof entropy !== "string" || !ENTROPY.test(entropy)) {
    throw invalidEntropy("it is not an entropy token");
  }
  const limits = { nowSeconds: Math.floor(deps.clock.nowMs() / 1000), maxLifetimeSeconds: MAX_LIFETIME_SECONDS };
  const fault = faultOfTimes(payload, limits);
  if (fault !== undefined) throw invalidEntropy(fault);
  return entropy;
}

async function verifyToken(
  registryKeys: RemoteKeySet,
  token: string,
): Promise<{ readonly payload: Readonly<Record<string, unknown>> }> {
  try {
    return await registryKeys.verify(token);
  } catch (error) {
    if (error instanceof ProtocolError) throw invalidEntropy("the registry did not sign it");
    if (error instanceof UpstreamError) {
      throw provisionerRefusal(
        "REGISTRY_UNAVAILABLE",
        "The registry's keys are not available, and nothing was done; send the same request again in a while.",
      );
    }
    throw error;
  }
}

function invalidEntropy(why: string): Error {
  return provisionerRefusal("INVALID_ENTROPY", `registryEntropy is refused: ${why}. Get a new one from GET /entropy.`);
}

function deriveOwner(namespace: string, entropy: string): EName {
  try {
    return entropyToEName(namespace, entropy);
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    throw provisionerRefusal("INVALID_NAMESPACE", "Give namespace as a UUID.");
  }
}

// Clients without a key send a zero key: stored, it would be a key that nobody has.
function readPublicKey(text: string): NewPublicKey | undefined {
  if (isZeroKey(text)) return undefined;
  try {
    if (text.startsWith("z")) return { text, point: decodePublicKey(text).point };
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
  }
  throw provisionerRefusal(
    "INVALID_PUBLIC_KEY",
    "Give publicKey as multibase text that starts with z, of a P-256 key; leave it out for a vault without a key.",
  );
}
