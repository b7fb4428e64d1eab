import { readStatusPlace } from "../reading/status-place.ts";
import type { CertificateStatus } from "../trust/status-of.ts";
import type { HandshakeFacts } from "./handshake-facts.ts";

/**
 * Finds the status of the presented certificate.
 *
 * Out: `valid` for a certificate that names no status; `unavailable` for a status claim that cannot be followed, such as a list
 * that is not under the issuer's own origin. Refuses: never. Source: decision A1.
 */
export async function certificateStatus(
  { evidence, ask }: HandshakeFacts,
  issuer: string | undefined,
): Promise<CertificateStatus> {
  const claim = evidence.certificate?.payload["status"];
  if (claim === undefined) return "valid";
  const place = issuer === undefined ? undefined : readStatusPlace(claim, issuer);
  if (issuer === undefined || place === undefined) return "unavailable";
  return ask.status({ issuer, ...place, stapled: evidence.statusToken });
}
