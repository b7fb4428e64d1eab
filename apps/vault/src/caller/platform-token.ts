import { type PlatformClaims, validatePlatformClaims } from "@dataspace/protocol/platform-token";
import { ProtocolError } from "@dataspace/protocol/protocol-error";
import { Refusal } from "@dataspace/service-kit/http/refusal";
import type { Clock } from "@dataspace/service-kit/clock";
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

/** `legacyIssuedBeforeMs`: only tokens issued before this time are accepted; absent: no such limit. */
export interface PlatformTokenConfig {
  readonly legacyIssuedBeforeMs?: number | undefined;
}

/** Makes the verifier of registry-issued platform tokens. Source: S1 "Platform token"; decision I7. */
export function createVerifyPlatformToken(
  { clock, verifySignature }: PlatformTokenDeps,
  { legacyIssuedBeforeMs }: PlatformTokenConfig,
): VerifyPlatformToken {
  return async (text) => {
    try {
      const { payload } = await verifySignature(text);
      const claims = validatePlatformClaims(payload, { nowSeconds: clock.nowMs() / 1000 });
      if (legacyIssuedBeforeMs !== undefined) assertIssuedBefore(claims, legacyIssuedBeforeMs);
      return claims;
    } catch (error) {
      throw toRefusal(error);
    }
  };
}

function assertIssuedBefore({ issuedAtSeconds }: PlatformClaims, endMs: number): void {
  if (issuedAtSeconds !== undefined && issuedAtSeconds * 1000 < endMs) return;
  const end = new Date(endMs).toISOString();
  throw invalidToken(`Platform tokens issued since ${end} are not accepted here; authenticate the platform.`);
}

// A token that cannot be checked now is not invalid: its holder should retry with it.
function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof ProtocolError) return invalidToken(error.message);
  return refusal("REGISTRY_UNAVAILABLE", "The registry does not answer, so this token cannot be verified; try again.");
}
