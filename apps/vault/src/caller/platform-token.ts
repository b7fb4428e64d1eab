import { type PlatformClaims, validatePlatformClaims } from "@dataspace/protocol/platform-token";
import { ProtocolError } from "@dataspace/protocol/protocol-error";
import type { Clock } from "@dataspace/service-kit/clock";
import type { Refusal } from "@dataspace/service-kit/http/refusal";
import { refusal } from "../errors.ts";
import { invalidToken } from "./bearer-token.ts";

/**
 * Verifies a legacy platform token. Refuses: INVALID_TOKEN; REGISTRY_UNAVAILABLE when the registry's keys are not
 * available.
 */
export type VerifyPlatformToken = (text: string) => Promise<PlatformClaims>;

/** `verifySignature` returns the payload of a token that one of the registry's keys signed, or rejects. */
export interface PlatformTokenDeps {
  readonly clock: Clock;
  readonly verifySignature: (text: string) => Promise<{ readonly payload: Readonly<Record<string, unknown>> }>;
}

/** Makes the verifier of registry-issued platform tokens. Source: S1 "Platform token"; decision I7. */
export function createVerifyPlatformToken({ clock, verifySignature }: PlatformTokenDeps): VerifyPlatformToken {
  return async (text) => {
    try {
      const { payload } = await verifySignature(text);
      return validatePlatformClaims(payload, { nowSeconds: clock.nowMs() / 1000 });
    } catch (error) {
      throw toRefusal(error);
    }
  };
}

// A token that cannot be checked now is not invalid: its holder should retry with it.
function toRefusal(error: unknown): Refusal {
  if (error instanceof ProtocolError) return invalidToken(error.message);
  return refusal("REGISTRY_UNAVAILABLE", "The registry does not answer, so this token cannot be verified; try again.");
}
