/** The clock difference allowed between two honest parties. */
const SKEW_SECONDS = 60;

/**
 * Validates the times of a token or certificate.
 *
 * In: unverified claims, `nowSeconds` and `maxLifetimeSeconds`. Out: the reason for a refusal, or undefined when all of
 * this holds: `iat` and `exp` are numbers. `exp` is after `iat` by at most the lifetime. `iat` (and `nbf`, where
 * present) is at most 60 s ahead, and `exp` at most 60 s ago.
 * Refuses: never.
 * Source: decision I4; RFC 7519 section 4.1.
 */
export function faultOfTimes(
  claims: { readonly iat?: unknown; readonly exp?: unknown; readonly nbf?: unknown },
  limits: { readonly nowSeconds: number; readonly maxLifetimeSeconds: number },
): string | undefined {
  const { iat, exp, nbf } = claims;
  if (!isTime(iat) || !isTime(exp) || (nbf !== undefined && !isTime(nbf))) {
    return "iat and exp must be numbers (seconds since the epoch)";
  }
  if (exp <= iat || exp - iat > limits.maxLifetimeSeconds) {
    return `exp must be after iat by at most ${limits.maxLifetimeSeconds} s`;
  }
  if (Math.max(iat, nbf ?? iat) > limits.nowSeconds + SKEW_SECONDS) {
    return "it is not valid yet";
  }
  return exp > limits.nowSeconds - SKEW_SECONDS ? undefined : "it has expired";
}

function isTime(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}
