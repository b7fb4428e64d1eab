import { parseCompactJws } from "@dataspace/protocol/compact-jws";
import { readOrUndefined, toMembers } from "./read-members.ts";

/** Where a certificate's issuer says whether the certificate still holds: a list, and the certificate's place in it. */
export interface StatusPlace {
  readonly uri: string;
  readonly idx: number;
}

/**
 * Reads the `status` claim of a certificate.
 *
 * Out: undefined for a claim that cannot be followed, such as a list that is not under the issuer's own origin.
 * Refuses: never. Source: draft-ietf-oauth-status-list; decision A1.
 */
export function readStatusPlace(claim: unknown, issuer: string): StatusPlace | undefined {
  const { idx, uri } = toMembers(toMembers(claim)?.["status_list"]) ?? {};
  if (typeof idx !== "number" || !Number.isSafeInteger(idx) || idx < 0) return undefined;
  if (typeof uri !== "string" || URL.parse(uri)?.origin !== new URL(issuer).origin) return undefined;
  return { uri, idx };
}

/**
 * Reads the place of the status from a certificate whose link holds. Out: null for one without a status.
 *
 * Refuses: never. Source: decision A1.
 */
export function statusPlaceOf(accreditationJws: unknown, issuer: string): StatusPlace | null {
  const claims = readOrUndefined(() => parseCompactJws(String(accreditationJws)).payload);
  return readStatusPlace(claims?.["status"], issuer) ?? null;
}
