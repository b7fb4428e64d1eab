import { faultOfTimes } from "@dataspace/protocol/token-times";
import { CERTIFICATE_MAX_SECONDS } from "../certificate.ts";
import type { HandshakeFacts } from "./handshake-facts.ts";

/**
 * Judges the times of the presented certificate.
 *
 * Out: `expired` when nothing but its age is wrong, `invalid` when its times cannot count at any time or not yet, undefined when
 * they hold. Refuses: never. Source: decision A1.
 */
export function faultOfCertificateTimes({ evidence, nowMs }: HandshakeFacts): "expired" | "invalid" | undefined {
  const claims = evidence.certificate?.payload;
  if (claims === undefined) return "invalid";
  const limits = { maxLifetimeSeconds: CERTIFICATE_MAX_SECONDS };
  if (faultOfTimes(claims, { ...limits, nowSeconds: nowMs / 1000 }) === undefined) return undefined;
  const { iat } = claims;
  const wasValid =
    typeof iat === "number" &&
    iat * 1000 <= nowMs &&
    faultOfTimes({ ...claims, nbf: undefined }, { ...limits, nowSeconds: iat }) === undefined;
  return wasValid && hasEnded(claims["exp"], nowMs) ? "expired" : "invalid";
}

function hasEnded(exp: unknown, nowMs: number): boolean {
  return typeof exp === "number" && exp * 1000 < nowMs;
}
