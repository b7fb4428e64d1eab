import { type PlatformClaims, validatePlatformClaims } from "@dataspace/protocol/platform-token";
import type { Clock } from "@dataspace/service-kit/clock";
import { invalidToken } from "./bearer-token.ts";

/** Verifies a legacy platform token. Refuses: INVALID_TOKEN; rejects with the client's error when no registry key can be had. */
export type VerifyPlatformToken = (text: string) => Promise<PlatformClaims>;

/** `verifySignature` gives the payload of a token that one of the registry's keys signed, or rejects. */
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
      throw invalidToken((error as Error).message);
    }
  };
}
