import { isIP } from "node:net";
import { findGuardedTarget, type ResolveHost } from "@dataspace/outgoing/guarded-target";
import { OutgoingError } from "@dataspace/outgoing/outgoing-error";
import type { OutgoingAllow } from "@dataspace/outgoing/outgoing-allow";
import { awarenessRefusal } from "../errors.ts";

/** Checks whether webhooks of a consumer may be sent to an address now. Refuses: INVALID_TARGET, TARGET_UNVERIFIED. */
export type CheckTarget = (targetUrl: string, consumerId: string) => Promise<void>;

const FIELD = "targetUrl";

/**
 * Makes the check of an address before anything is sent there: public, https on port 443, under a host name, without
 * user name or fragment; the operator may allow others.
 *
 * Refuses: INVALID_TARGET; TARGET_UNVERIFIED for a host without an address, which could not answer either.
 * Source: decision E6.
 */
export function createCheckTarget(
  deps: { readonly resolveHost: ResolveHost },
  config: { readonly outgoingAllow: OutgoingAllow },
): CheckTarget {
  return async (targetUrl, consumerId) => {
    const resolveHost = (hostname: string) => deps.resolveHost(hostname, consumerId);
    if (targetUrl.includes("#"))
      throw awarenessRefusal("INVALID_TARGET", "Remove the fragment (#) from the address.", FIELD);
    try {
      const { url } = await findGuardedTarget(targetUrl, { resolveHost }, config.outgoingAllow);
      const isLiteral = isIP(url.hostname.replace(/^\[(.*)\]$/, "$1")) !== 0;
      // Over http only the operator's list is allowed, so this checks whether the literal is listed.
      if (isLiteral)
        await findGuardedTarget(`http://${url.hostname}:${url.port || "443"}/`, { resolveHost }, config.outgoingAllow);
    } catch (error) {
      if (!(error instanceof OutgoingError)) throw error;
      if (error.code === "unreachable") {
        throw awarenessRefusal("TARGET_UNVERIFIED", `${error.message} Use a host name that has one.`, FIELD);
      }
      throw awarenessRefusal(
        "INVALID_TARGET",
        "Use a public https address on port 443 with a host name. The operator can allow other addresses with DS_OUTGOING_ALLOW.",
        FIELD,
      );
    }
  };
}
