import { toMembers } from "../reading/read-members.ts";
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
  const { idx, uri } = toMembers(toMembers(claim)?.["status_list"]) ?? {};
  if (issuer === undefined || !Number.isSafeInteger(idx) || (idx as number) < 0) return "unavailable";
  if (typeof uri !== "string" || URL.parse(uri)?.origin !== new URL(issuer).origin) return "unavailable";
  return ask.status({ issuer, uri, idx: idx as number, stapled: evidence.statusToken });
}
